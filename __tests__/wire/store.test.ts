import { once } from 'node:events'
import type { Socket } from 'node:net'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { HttpStore } from '../../src/download/store.ts'
import { userAgent } from '../support/connections.ts'
import { serve } from '../support/http-server.ts'
import { neverAborts } from '../../sandbox/simulation/simulated-clock.ts'
import { serveRaw, serveRawOverTls, type RawServer } from '../support/raw-server.ts'
import { rejectionOf } from '../support/rejection.ts'
import { readLink, storeWithSilent } from '../support/store-clients.ts'
import { testCertificate } from '../support/test-certificate.ts'

const unusable = new Error('the link leads to an address that is not https')
/** A client whose stall timeout is longer than any test. */
const slowStore = new HttpStore(userAgent, 60_000, true)

const authorities = tls.getCACertificates('default')
beforeAll(() => tls.setDefaultCACertificates([...authorities, testCertificate.cert]))
afterAll(() => tls.setDefaultCACertificates(authorities))

/** Waits until the first connection of a server is closed. */
async function closedConnection({ connections: [connection] }: RawServer): Promise<void> {
  if (connection && !connection.closed) await once(connection, 'close')
}

it('a link is opened unchanged, with its query, and without credentials', async () => {
  await using store = await serve((response) => response.end('rows'))

  const { status, text } = await readLink(`${store.url}/a%2Fb?sig=x%3D&n=1`)

  expect([status, text]).toEqual([200, 'rows'])
  expect(store.seen[0]).toMatchObject({ method: 'GET', path: '/a%2Fb?sig=x%3D&n=1' })
  expect(store.seen[0]?.headers).toEqual({
    host: new URL(store.url).host,
    connection: 'close',
    'user-agent': userAgent,
    'accept-encoding': 'identity',
  })
})

it('an answer closes its connection when it is closed, however many bytes are missing', async () => {
  const half = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'
  await using store = await serveRaw({ onRequest: (socket) => socket.write(half) })
  const opened = await slowStore.open(store.url, neverAborts)

  opened.close()

  await expect(closedConnection(store)).resolves.toBeUndefined()
})

describe('a redirect of a store is followed', () => {
  it.each([301, 302, 303, 307, 308])('%d, by a relative address too', async (status) => {
    await using store = await serve((response, { path }) => {
      if (path === '/new?sig=2') response.end('rows')
      else response.writeHead(status, { location: '../new?sig=2' }).end()
    })

    expect((await readLink(`${store.url}/old/result?sig=1`)).text).toBe('rows')
    expect(store.seen.map(({ path }) => path)).toEqual(['/old/result?sig=1', '/new?sig=2'])
  })

  it('to another host, without anything else', async () => {
    await using elsewhere = await serve((response) => response.end('rows'))
    await using store = await serve((response) => {
      response.writeHead(302, { location: elsewhere.url, 'set-cookie': 'a=1' }).end()
    })

    await readLink(store.url)

    const names = Object.keys(elsewhere.seen[0]?.headers ?? {}).sort()
    expect(names).toEqual(['accept-encoding', 'connection', 'host', 'user-agent'])
  })

  it('five times, and not a sixth', async () => {
    await using store = await serve((response, { path }) => {
      const rest = Number(path.slice(1))
      if (rest === 0) response.end('rows')
      else response.writeHead(302, { location: `/${String(rest - 1)}` }).end()
    })

    expect((await readLink(`${store.url}/5`)).text).toBe('rows')
    expect(await rejectionOf(readLink(`${store.url}/6`))).toMatchObject({
      message: 'the link was redirected more than 5 times',
    })
    expect(store.seen).toHaveLength(12)
  })

  it('not if it names no address', async () => {
    await using store = await serve((response) => response.writeHead(302).end())

    expect((await readLink(store.url)).status).toBe(302)
  })

  it('from https to https', async () => {
    const rows = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nrows'
    await using elsewhere = await serveRawOverTls({ onRequest: (socket) => void socket.end(rows) })
    const redirect = `HTTP/1.1 302 Found\r\nlocation: ${elsewhere.url}/x?sig=1\r\n\r\n`
    await using store = await serveRawOverTls({ onRequest: (socket) => void socket.end(redirect) })

    expect((await readLink(store.url)).text).toBe('rows')
  })

  it('and its connection is closed, however many bytes of its body are missing', async () => {
    await using elsewhere = await serve((response) => response.end('rows'))
    const redirect = `HTTP/1.1 302 Found\r\nlocation: ${elsewhere.url}\r\n\r\nfor ever`
    await using store = await serveRaw({ onRequest: (socket) => socket.write(redirect) })

    const opened = await slowStore.open(store.url, neverAborts)

    await expect(closedConnection(store)).resolves.toBeUndefined()
    opened.close()
  })

  it.each([
    'http://store.example/x?sig=secret',
    'ftp://store.example/x?sig=secret',
    'file:///etc/passwd',
    'http://[not-an-address?sig=secret',
  ])('not to %s', async (location) => {
    await using store = await serve((response) => response.writeHead(302, { location }).end())

    expect(await rejectionOf(readLink(store.url))).toEqual(unusable)
  })
})

it.each([
  'http://store.example/result?sig=secret',
  'http://127.0.0.1.store.example/?sig=secret',
  'javascript:alert(1)',
  '/result?sig=secret',
  'not a link, sig=secret',
  '',
])('the link %j is refused, and the message does not contain the link', async (link) => {
  expect(await rejectionOf(readLink(link))).toEqual(unusable)
})

it('a link to this machine, of a service that is elsewhere, is refused before any request', async () => {
  await using store = await serve((response) => response.end('rows'))
  const elsewhere = new HttpStore(userAgent, 60_000, false)

  expect(await rejectionOf(elsewhere.open(store.url, neverAborts))).toMatchObject({
    message: 'the link leads to this machine, but the service does not run on this machine',
  })
  expect(store.seen).toEqual([])
})

it.each(['', 'content-length: 99\r\n'])(
  'an answer (%j) is incomplete if its connection is reset or ends',
  async (length) => {
    const head = `HTTP/1.1 200 OK\r\n${length}\r\nhalf of the ro`
    const reset = (socket: Socket) => socket.write(head, () => socket.resetAndDestroy())
    const end = (socket: Socket) => void socket.end(head)
    for (const onRequest of length ? [reset, end] : [reset]) {
      await using store = await serveRaw({ onRequest })
      expect(await rejectionOf(readLink(store.url))).toMatchObject({ code: 'ECONNRESET' })
    }
  },
)

describe('a store that stalls', () => {
  it('counts as broken after the stall timeout, and the link is not in the message', async () => {
    await using store = await serveRaw({})
    const link = `${store.url}/result?sig=secret`
    const failure = await rejectionOf(storeWithSilent(store.url).open(link, neverAborts))

    expect((failure as Error).name).toBe('NetworkError')
    expect((failure as Error).message).not.toMatch(/secret|result/)
  })

  it('is abandoned when the signal aborts', async () => {
    const controller = new AbortController()
    await using store = await serveRaw({ onRequest: () => controller.abort(new Error('enough')) })
    const opening = slowStore.open(store.url, controller.signal)

    expect(await rejectionOf(opening)).toMatchObject({ name: 'NetworkError', message: 'enough' })
  })
})
