import { once } from 'node:events'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { send, userAgent } from '../support/connections.ts'
import { serve } from '../support/http-server.ts'
import { rejectionOf } from '../support/rejection.ts'

const json = JSON.stringify({ words: 'größer 🚀'.repeat(50) })
const limit = 1024 * 1024

describe('an answer', () => {
  it('has its status, headers and text', async () => {
    await using server = await serve((response) => {
      response.writeHead(418, { 'x-mood': 'short' }).end(json)
    })
    const before = Date.now()
    const answer = await send(server.url)

    expect(answer).toMatchObject({ status: 418, headers: { 'x-mood': 'short' }, body: json })
    expect(answer.receivedAt).toBeGreaterThanOrEqual(before)
    expect(server.seen[0]?.headers['user-agent']).toBe(userAgent)
  })

  it.each([
    ['gzip, identity', gzipSync(json)],
    ['deflate', deflateRawSync(json)],
    ['utf-8', Buffer.from(json)],
  ])('in %s is undone', async (encoding, bytes) => {
    await using server = await serve((response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(bytes)
    })

    expect((await send(server.url)).body).toBe(json)
    expect(server.seen[0]?.headers['accept-encoding']).toBe('identity')
  })

  it('keeps a letter whole whose bytes arrive separately', async () => {
    await using server = await serve((response) => {
      const [first, rest] = [Buffer.from('ü').subarray(0, 1), Buffer.from('ü').subarray(1)]
      response.write(first, () => setImmediate(() => response.end(rest)))
    })

    expect((await send(server.url)).body).toBe('ü')
  })
})

it('a request is reported as sent before its answer arrives', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  await using server = await serve((response) => void promise.then(() => response.end()))

  expect(await send(server.url, { request: { onSent: () => resolve(undefined) } })).toMatchObject({
    status: 200,
  })
})

describe('an answer past the limit', () => {
  it('is refused, but an answer of exactly that size is not', async () => {
    await using server = await serve((response, { path }) => {
      response.end('x'.repeat(Number(path.slice(1))))
    })

    expect((await send(`${server.url}/${String(limit)}`)).body).toHaveLength(limit)
    expect(await rejectionOf(send(`${server.url}/${String(limit + 1)}`))).toMatchObject({
      name: 'NetworkError',
      mayHaveArrived: true,
      message: 'the answer could not be read to its end: it is larger than 1048576 bytes',
    })
  })

  it('is not read to its end', async () => {
    let sent = 0
    const endless = Buffer.alloc(64 * 1024)
    const cut = Promise.withResolvers<undefined>()
    await using server = await serve((response) => {
      response.on('close', () => cut.resolve(undefined)).on('error', () => undefined)
      const push = async () => {
        while (!response.destroyed) {
          sent += endless.length
          if (!response.write(endless)) await once(response, 'drain')
        }
      }
      push().catch(() => undefined)
    })

    await rejectionOf(send(server.url))
    await cut.promise

    // This is the limit of 1 MiB, and as much as the socket buffers of both sides may hold.
    expect(sent).toBeLessThan(32 * 1024 * 1024)
  })

  it('is refused by its decoded size', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
    await using server = await serve((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })

    expect(await rejectionOf(send(server.url))).toMatchObject({ name: 'NetworkError' })
  })
})
