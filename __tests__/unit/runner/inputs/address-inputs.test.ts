import { describe, expect, it } from '@jest/globals'
import { executionUrls } from '../../../../src/messages/execution-url.ts'
import {
  dashboardAddress,
  serviceAddress,
  webhookAddress,
} from '../../../../src/runner/inputs/address-inputs.ts'
import { problemsOf } from './problems.ts'

const wantedUrl = 'expected an absolute URL such as https://automations.example.com'

describe("the service's address", () => {
  it.each([
    ['https://automations.example.com', 'https://automations.example.com'],
    ['https://automations.example.com/', 'https://automations.example.com'],
    ['https://example.com:8443/hosting//', 'https://example.com:8443/hosting'],
    ['HTTPS://Example.com', 'https://example.com'],
    ['https://example.com/api/v40', 'https://example.com/api/v40'],
    ['https://example.com/a//b/', 'https://example.com/a//b'],
    ['http://0x7f.1', 'http://127.0.0.1'],
  ])('%j is taken as %s', (text, address) => {
    expect(serviceAddress(text)).toBe(address)
  })

  const noScheme = `${wantedUrl}, found no https:// at its beginning`
  const noUrl = `${wantedUrl}, found something else`
  const apiPath =
    'expected the address of the service alone, found a path of its API; leave /api and everything after it out'
  const noPart = 'expected an address without query (?) and fragment (#); remove them'
  const noUser =
    'expected an address without user name and password; give credentials as api-token and api-key'

  it.each([
    [
      'http://10.0.0.1:80/a',
      'expected https, found plain http to 10.0.0.1, which would send secrets unencrypted; plain http is allowed only for loopback hosts (localhost, 127.0.0.1, [::1])',
    ],
    ['automations.example.com', noScheme],
    ['localhost:8080', noScheme],
    ['//example.com', noScheme],
    ['https:example.com/a://b', noScheme],
    ['https:\\\\example.com', noScheme],
    ['https://example.com/hosting/api/start-automation/demo/report', apiPath],
    ['https://example.com/hosting/api/start-automation', apiPath],
    ['https://example.com/hosting/api/create-project/', apiPath],
    ['https://example.com/hosting/api/v4/execution', apiPath],
    ['https:///example.com', noUrl],
    ['https://exam ple.com', noUrl],
    ['https://[::1', noUrl],
    ['ftp://example.com', `${wantedUrl}, found the scheme ftp://`],
    ['file://host/etc/passwd', `${wantedUrl}, found the scheme file://`],
    // Node would replace port 0 by the default port.
    ['http://127.0.0.1:0', 'expected a port from 1 to 65535, found port 0'],
    ['https://user:pass@example.com', noUser],
    ['https://pass@example.com', noUser],
    ['https://example.com?a=1', noPart],
    ['https://example.com/?', noPart],
    ['https://example.com/#top', noPart],
  ])('is not %j', (text, problem) => {
    expect(problemsOf(serviceAddress, text)).toEqual([problem])
  })
})

describe("the webhook's address", () => {
  it.each([
    'https://hooks.example.com/in/?key=a%20b#part',
    'https://user:pass@hooks.example.com',
    'http://localhost:9000/hook/',
  ])('%s is sent unchanged', (text) => {
    expect(webhookAddress(text)).toBe(text)
  })

  it.each([
    'http://hooks.example.com/key-1234',
    'hooks.example.com/key-1234',
    'ftp://a.example/key-1234',
  ])('%s is refused, its path not shown', (text) => {
    const problems = problemsOf(webhookAddress, text)
    expect(problems).toHaveLength(1)
    expect(problems.join()).not.toContain('key-1234')
  })
})

const wantedLink =
  'expected an https address with {execution-id} once, after the host, such as https://dashboard.example.com/runs/{execution-id}, found'

describe('the address of a run in the dashboard', () => {
  it('is accepted unchanged', () => {
    const text = 'https://a.example/shop/runs?run={execution-id}&tab=log'
    expect(dashboardAddress(text)).toBe(text)
  })

  it.each([
    ['https://a.example/runs', '{execution-id} 0 times'],
    ['https://a.example/{execution-id}?run={execution-id}', '{execution-id} 2 times'],
    ['https://a.example/{project}/{execution-id}', 'another { or }'],
    ['https://a.example/{{execution-id}}', 'another { or }'],
    ['https://a.example/{execution-id}?run={', 'another { or }'],
    ['https://{execution-id}.a.example/', 'a placeholder, user name or password in the host'],
    ['https://user:pass@a.example/{execution-id}', 'a placeholder, user name or password in'],
    ['http://a.example/{execution-id}', 'http://'],
    ['http://localhost/{execution-id}', 'http://'],
    ['a.example/{execution-id}', 'something else'],
  ])('is not %s', (text, found) => {
    expect(problemsOf(dashboardAddress, text)).toEqual([
      expect.stringContaining(`${wantedLink} ${found}`),
    ])
  })
})

describe('the link to a run', () => {
  it('has the encoded execution id', () => {
    const executionUrlOf = executionUrls('https://a.example/{execution-id}?a=b')
    expect(executionUrlOf('a/$& b')).toBe('https://a.example/a%2F%24%26%20b?a=b')
  })

  it('is missing without an id or an address', () => {
    expect([
      executionUrls('https://a.example/{execution-id}')(undefined),
      executionUrls(undefined)('e-1'),
    ]).toEqual([undefined, undefined])
  })
})
