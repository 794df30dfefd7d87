import { describe, expect, it } from '@jest/globals'
import { linksTo } from '../../../../src/messages/run-link.ts'
import { dashboard } from '../../../../src/runner/inputs/dashboard.ts'
import { problemsOf } from './outcome.ts'

const expected =
  'expected an https address with {execution-id} once, after the host, such as https://dashboard.example.com/runs/{execution-id}, found'

describe('the address of a run in the dashboard', () => {
  it.each(['https://a.example/shop/runs?run={execution-id}&tab=log', undefined])(
    'may be %s',
    (text) => {
      expect(dashboard.parse({ 'dashboard-url': text ?? '' })).toBe(text)
    },
  )

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
  ])('is not %s', async (text, found) => {
    expect(await problemsOf(dashboard, { 'dashboard-url': text })).toEqual([
      expect.stringContaining(`${expected} ${found}`),
    ])
  })
})

describe('the link to a run', () => {
  it('has the encoded execution id', () => {
    const linkOf = linksTo('https://a.example/{execution-id}?a=b')
    expect(linkOf('a/$& b')).toBe('https://a.example/a%2F%24%26%20b?a=b')
  })

  it('is missing without an id or an address', () => {
    expect([
      linksTo('https://a.example/{execution-id}')(undefined),
      linksTo(undefined)('e-1'),
    ]).toEqual([undefined, undefined])
  })
})
