import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { namedProxy, ProxyProblem, proxyFor } from '../../../src/service/proxy.ts'

const lowercase = ['http_proxy', 'https_proxy', 'no_proxy']
const names = [...lowercase, ...lowercase.map((name) => name.toUpperCase())]
const before = names.map((name) => [name, process.env[name]] as const)

function forget() {
  for (const name of names) Reflect.deleteProperty(process.env, name)
}
beforeEach(forget)
afterAll(() => {
  forget()
  for (const [name, value] of before) if (value !== undefined) process.env[name] = value
})

/** Returns the proxy of an address in an environment with these variables. */
function proxyOf(address: string, variables: Record<string, string>) {
  Object.assign(process.env, variables)
  return proxyFor(new URL(address))
}

const service = 'https://service.example/api'

describe('the proxy of an https address', () => {
  it('is the one that https_proxy names', () => {
    expect(proxyOf(service, { https_proxy: 'http://proxy.example:3128' })).toEqual({
      protocol: 'http:',
      host: 'proxy.example',
      port: 3128,
      authorization: undefined,
    })
  })

  it.each([
    [{ HTTPS_PROXY: 'http://upper.example' }, 'upper.example'],
    [{ https_proxy: 'http://lower.example', HTTPS_PROXY: 'http://upper.example' }, 'lower.example'],
    [{ https_proxy: ' ', HTTPS_PROXY: 'http://upper.example' }, 'upper.example'],
    [{ https_proxy: '  http://lower.example \n' }, 'lower.example'],
  ])('with %j is %s', (variables, host) => {
    expect(proxyOf(service, variables)?.host).toBe(host)
  })

  it.each<[string, string, Record<string, string>]>([
    ['no variable names one', service, {}],
    ['the variable is empty', service, { https_proxy: '', HTTPS_PROXY: '  ' }],
    ['only http_proxy does', service, { http_proxy: 'http://proxy.example' }],
    [
      'no_proxy exempts the host',
      service,
      { https_proxy: 'http://proxy.example', no_proxy: '.example' },
    ],
    ['the host is this machine', 'https://localhost/', { https_proxy: 'http://proxy.example' }],
    ['the address is http', 'http://service.example/', { https_proxy: 'http://proxy.example' }],
  ])('is undefined if %s', (_, address, variables) => {
    expect(proxyOf(address, variables)).toBeUndefined()
  })
})

describe('a proxy variable', () => {
  it.each([
    ['proxy.example', 'http:', 'proxy.example', 80],
    ['proxy.example:3128', 'http:', 'proxy.example', 3128],
    ['HTTP://proxy.example', 'http:', 'proxy.example', 80],
    ['https://proxy.example', 'https:', 'proxy.example', 443],
    ['https://proxy.example:8443', 'https:', 'proxy.example', 8443],
    ['http://[2001:db8::1]:3128', 'http:', '2001:db8::1', 3128],
    ['proxy.example:3128/', 'http:', 'proxy.example', 3128],
  ])('of %s names %s//%s at port %d', (value, protocol, host, port) => {
    expect(proxyOf(service, { https_proxy: value })).toMatchObject({ protocol, host, port })
  })

  it.each([
    ['http://me:s%40cret@proxy.example', 'me:s@cret'],
    ['http://m%C3%BC:x@proxy.example', 'mü:x'],
    ['http://me@proxy.example', 'me:'],
    ['http://:s3cret@proxy.example', ':s3cret'],
  ])('of %s shows the proxy the credentials %s', (value, credentials) => {
    const encoded = Buffer.from(credentials).toString('base64')
    expect(proxyOf(service, { https_proxy: value })?.authorization).toBe(`Basic ${encoded}`)
  })
})

describe('a variable that names no proxy', () => {
  const noAddress = 'it is not an address such as http://proxy.example:3128'

  it.each([
    ['http://', noAddress],
    ['http://me:s3cret@', noAddress],
    ['not an address s3cret', noAddress],
    ['http://me:s3cret@proxy.example:99999', noAddress],
    ['socks5://me:s3cret@proxy.example', 'its scheme is not http:// or https://'],
    ['DIRECT', 'DIRECT is not an address. To use no proxy, remove the variable'],
    ['none', 'none is not an address. To use no proxy, remove the variable'],
    ['http://me:100%s3cret@proxy.example', 'a % in its user or password must be written as %25'],
  ])('such as %s is refused by words without its value', (value, why) => {
    const refused = new ProxyProblem(
      `the environment variable HTTPS_PROXY does not name a usable proxy: ${why}`,
    )
    expect(() => proxyOf(service, { HTTPS_PROXY: value })).toThrow(refused)
  })

  it.each([
    ...['#', '/', '?', '\\', '"', "'", '@', ':1/'].map(
      (c) => `http://me:p4${c}s3cret@proxy.example:1`,
    ),
    ...[
      '"http://proxy.example:1"',
      'proxy.example/path',
      'proxy.example/?',
      'http://proxy.example//',
    ],
    ...[
      'http:/me:s3cret@proxy.example',
      'me@corp.example:s3cret@proxy.example',
      'me:s3://cret@p.example',
    ],
  ])('such as %s is refused by words that show how to write it', (value) => {
    const advice =
      /^the environment variable https_proxy .* # as %23, \/ as %2F, \? as %3F and @ as %40$/
    expect(() => proxyOf(service, { https_proxy: value })).toThrow(advice)
  })

  it('is refused although no_proxy names the service, because other clients use it', () => {
    Object.assign(process.env, { https_proxy: 'http://me:p#ss@proxy.example', no_proxy: '*' })
    expect(proxyFor(new URL(service))).toBeUndefined()
    expect(namedProxy).toThrow(ProxyProblem)
  })

  it('is distinguished from other errors by its name', () => {
    expect(new ProxyProblem('why').name).toBe('ProxyProblem')
  })
})
