import tls from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { adviseOn } from '../../src/messages/advice.ts'
import { Deadline, systemClock } from '../../src/clock.ts'
import { classify } from '../../src/service/classify.ts'
import { serveProxy } from '../support/connect-proxy.ts'
import { send } from '../support/connections.ts'
import { serveRaw, serveRawOverTls } from '../support/raw-server.ts'
import { rejectionOf } from '../support/rejection.ts'
import { testCertificate } from '../support/test-certificate.ts'

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'
const service = 'https://service.test/api'
const variables = ['http_proxy', 'https_proxy', 'no_proxy'] as const
const proxyVariables = [...variables, ...variables.map((name) => name.toUpperCase())]

const authorities = tls.getCACertificates('default')
const before = { ...process.env }
function restoreVariables() {
  for (const name of proxyVariables) {
    if (before[name] === undefined) Reflect.deleteProperty(process.env, name)
    else process.env[name] = before[name]
  }
}

beforeAll(() => {
  tls.setDefaultCACertificates([...authorities, testCertificate.cert])
  for (const name of proxyVariables) Reflect.deleteProperty(process.env, name)
})
afterEach(() => {
  for (const name of proxyVariables) Reflect.deleteProperty(process.env, name)
})
afterAll(() => {
  tls.setDefaultCACertificates(authorities)
  restoreVariables()
})

describe('behind a proxy', () => {
  it('the service is reached through a tunnel, and the proxy sees no header of the request', async () => {
    await using server = await serveRawOverTls({ onRequest: (socket) => void socket.end(ok) })
    await using proxy = await serveProxy({ port: server.port })
    process.env['https_proxy'] = proxy.url

    const answer = await send(service, { request: { headers: { 'x-api-key': 'key-91bc' } } })

    expect(answer.body).toBe('{}')
    expect(proxy.asked).toEqual([{ target: 'service.test:443', authorization: undefined }])
    expect(server.heads[0]).toContain('x-api-key: key-91bc')
  })

  it('the certificate of a proxy with TLS is checked for the proxy’s own name', async () => {
    await using server = await serveRawOverTls({ onRequest: (socket) => void socket.end(ok) })
    await using proxy = await serveProxy({ port: server.port }, { secure: true })
    process.env['https_proxy'] = proxy.url

    expect((await send(service)).body).toBe('{}')
    // Neither the certificate of the proxy nor the one behind the tunnel is valid for this name.
    const failure = await rejectionOf(send('https://elsewhere.test/'))

    expect(proxy.asked.map(({ target }) => target)).toEqual([
      'service.test:443',
      'elsewhere.test:443',
    ])
    expect((failure as Error).message).toContain("does not match certificate's altnames")
    // A retry cannot succeed.
    expect(classify(failure)).toBe('not-sent')
  })

  it('the proxy gets the name and password in its address', async () => {
    await using server = await serveRawOverTls({ onRequest: (socket) => void socket.end(ok) })
    await using proxy = await serveProxy({ port: server.port })
    process.env['https_proxy'] = proxy.url.replace('//', '//me:s%40cret@')

    await send(service)

    const shown = Buffer.from('me:s@cret').toString('base64')
    expect(proxy.asked[0]?.authorization).toBe(`Basic ${shown}`)
    expect(server.heads[0]?.toLowerCase()).not.toContain('proxy-authorization')
  })

  it('its connections are closed after the answer, even if the service keeps them open', async () => {
    await using server = await serveRawOverTls({ onRequest: (socket) => void socket.write(ok) })
    await using proxy = await serveProxy({ port: server.port })
    process.env['https_proxy'] = proxy.url

    expect((await send(service)).body).toBe('{}')
    await proxy.closed()

    expect(proxy.open.size).toBe(0)
  })

  it('an IPv6 address is asked for in brackets', async () => {
    await using proxy = await serveProxy({ status: 403 })
    process.env['https_proxy'] = proxy.url

    await rejectionOf(send('https://[2001:db8::1]:8443/api'))

    expect(proxy.asked[0]?.target).toBe('[2001:db8::1]:8443')
  })
})

describe('a request that cannot have arrived', () => {
  it.each([
    [403, 'again'],
    [407, 'not-sent'],
    [502, 'again'],
  ])('met a proxy that refused with %d: %s', async (status, classified) => {
    await using proxy = await serveProxy({ status })
    process.env['https_proxy'] = proxy.url

    const failure = await rejectionOf(send(service))

    expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: false })
    expect((failure as Error).message).toContain(String(status))
    expect(classify(failure)).toBe(classified)
  })

  it.each([
    ['sent unexpected data', 'HTTP/1.1 200 OK\r\n\r\nhello', 'it sent unexpected data'],
    ['closed the connection', '', 'socket hang up'],
  ])('met a proxy that %s', async (_, bytes, why) => {
    await using proxy = await serveRaw({ onRequest: (socket) => void socket.end(bytes) })
    process.env['https_proxy'] = proxy.url

    expect(await rejectionOf(send(service))).toMatchObject({
      mayHaveArrived: false,
      message: `service.test: no tunnel through the proxy: ${why}`,
    })
  })

  it('met a proxy without TLS, although its address says https', async () => {
    await using proxy = await serveProxy({ status: 403 })
    process.env['https_proxy'] = proxy.url.replace('http:', 'https:')

    const failure = await rejectionOf(send(service))
    const { why, hint } = adviseOn(failure, 'start')

    const reason = /\(service.test: no tunnel through the proxy: TLS failed: [a-z ]+\)\.$/
    expect(why).toMatch(reason)
    expect(hint).toMatch(/^Check https_proxy \(http:\/\/ or https:\/\/\)/)
  })

  it('met a proxy that does not exist', async () => {
    const proxy = await serveProxy('stall')
    await proxy[Symbol.asyncDispose]()
    process.env['https_proxy'] = proxy.url

    expect(classify(await rejectionOf(send(service)))).toBe('again')
  })

  it('met a proxy that stalls, and ended after the time for a connection', async () => {
    await using proxy = await serveProxy('stall')
    process.env['https_proxy'] = proxy.url

    using connecting = new Deadline(systemClock, 100, undefined, 'no connection within 0.1 s')
    const failure = await rejectionOf(send(service, { untilConnected: connecting.signal }))

    expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: false })
    expect((failure as Error).message).toContain('through the proxy: no connection within 0.1 s')
    // An open connection would keep the process alive.
    await proxy.closed()
    expect(proxy.open.size).toBe(0)
  })

  it('met a proxy that stalls, and ended with the signal for the connection', async () => {
    const cancellation = new AbortController()
    const cancel = () => cancellation.abort(new Error('cancelled'))
    await using proxy = await serveRaw({ onRequest: cancel })
    process.env['https_proxy'] = proxy.url

    const failure = await rejectionOf(send(service, { untilConnected: cancellation.signal }))

    const message = 'service.test: no tunnel through the proxy: cancelled'
    const cause: unknown = cancellation.signal.reason
    expect(failure).toMatchObject({ mayHaveArrived: false, message, cause })
  })

  it('met a TLS handshake that stalls within the tunnel, and ended with the signal', async () => {
    const cancellation = new AbortController()
    const cancel = () => cancellation.abort(new Error('cancelled'))
    await using server = await serveRaw({ onConnection: (socket) => socket.once('data', cancel) })
    await using proxy = await serveProxy({ port: server.port })
    process.env['https_proxy'] = proxy.url

    const failure = await rejectionOf(send(service, { untilConnected: cancellation.signal }))

    expect(failure).toMatchObject({ mayHaveArrived: false, message: 'cancelled' })
  })

  it('met a TLS handshake that failed within the tunnel', async () => {
    await using server = await serveRaw({
      onConnection: (socket) => void socket.once('data', () => socket.resetAndDestroy()),
    })
    await using proxy = await serveProxy({ port: server.port })
    process.env['https_proxy'] = proxy.url

    expect(classify(await rejectionOf(send(service)))).toBe('again')
  })
})

describe('a request that may have arrived', () => {
  it('went through the tunnel before it broke', async () => {
    await using server = await serveRawOverTls({
      onRequest: () => server.connections.forEach((connection) => connection.resetAndDestroy()),
    })
    await using proxy = await serveProxy({ port: server.port })
    process.env['https_proxy'] = proxy.url

    const failure = await rejectionOf(send(service))

    expect(server.heads).toHaveLength(1)
    expect(failure).toMatchObject({ name: 'NetworkError', mayHaveArrived: true })
    expect(classify(failure)).toBe('unclear')
  })
})
