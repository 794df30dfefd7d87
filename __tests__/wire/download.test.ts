import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { cut, fetchResult } from '../support/download-run.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { serve } from '../support/http-server.ts'
import { serveRaw } from '../support/raw-server.ts'
import { CountingStore, storeWithSilent } from '../support/store-clients.ts'

const secret = '?X-Signature=b61f0c'

describe('a download', () => {
  it('is one request, without credentials, and one file named by its content', async () => {
    await using store = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).end('a,b\n')
    })
    const { kept, text, onDisk, links } = await fetchResult(() => store.url + secret)

    expect(kept).toMatchObject({ kind: 'file', mediaType: 'text/csv', size: 4 })
    expect([text, onDisk, links]).toEqual(['a,b\n', ['result.csv'], 1])
    expect(Object.keys(store.seen[0]?.headers ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/authorization|x-api-key|cookie/)]),
    )
  })

  it('keeps every byte', async () => {
    const bytes = Buffer.from([...Array(256).keys()])
    await using store = await serve((response) => response.end(bytes))
    const { kept, text } = await fetchResult(() => store.url)

    expect(kept).toMatchObject({ kind: 'file', size: 256, mediaType: '' })
    expect(text).toBe(bytes.toString('utf8'))
  })

  it('may fetch an empty file', async () => {
    await using store = await serve((response) => response.end())

    expect(await fetchResult(() => store.url)).toMatchObject({ text: '', onDisk: ['result.bin'] })
  })
})

describe('a link that fails is replaced', () => {
  it.each([204, 206, 302, 403, 500])('after %d', async (status) => {
    await using store = await serve((response, { path }) => {
      response.writeHead(path === '/1' ? status : 200).end('rows')
    })
    const { text, links } = await fetchResult((time) => `${store.url}/${String(time)}`)

    expect([text, links]).toEqual(['rows', 2])
  })

  it.each<[string, (port: number) => string]>([
    ['a port without a listener', (port) => `http://127.0.0.1:${String(port)}`],
    ['http to another host', () => 'http://store.example/result'],
    ['no URL at all', () => 'result'],
  ])('after %s', async (_what, broken) => {
    const gone = await serveRaw({})
    await gone[Symbol.asyncDispose]()
    await using store = await serve((response) => response.end('rows'))
    const { text } = await fetchResult((time) => (time === 1 ? broken(gone.port) : store.url))

    expect(text).toBe('rows')
  })

  it('after a stall, and when the service has none at the moment', async () => {
    await using silent = await serveRaw({})
    await using store = await serve((response) => response.end('rows'))
    const { text, links } = await fetchResult(
      (time) => {
        if (time === 2) throw new Error('the service answered 502')
        return time === 1 ? silent.url : store.url
      },
      { store: storeWithSilent(silent.url) },
    )

    expect([text, links]).toEqual(['rows', 3])
  })
})

describe('a download that was cut', () => {
  it('starts over with the next link, and asks for the whole file', async () => {
    const rows = 'one,two,three\n'.repeat(5_000)
    const client = new CountingStore()
    await using store = await serve((response, _request, count) => {
      response.writeHead(200, { etag: '"v1"', 'content-length': rows.length })
      if (count === 1) cut(response, rows.slice(0, rows.length / 2), client)
      else response.end(rows)
    })
    const { text, onDisk } = await fetchResult(() => store.url, { store: client })

    expect([text === rows, onDisk]).toEqual([true, ['result.bin']])
    expect(store.seen[1]?.headers).not.toHaveProperty('range')
  })
})

it('an encoding is undone', async () => {
  await using store = await serve((response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('a,b\n')),
  )
  expect((await fetchResult(() => store.url)).text).toBe('a,b\n')
})

describe('a file that cannot be fetched', () => {
  const half = (response: ServerResponse) => response.write('half', () => response.destroy())
  const gzip = { 'content-encoding': 'gzip' }
  const zipped = gzipSync('rows'.repeat(1_000))

  it.each<[string, string, (response: ServerResponse) => void]>([
    [
      'fewer bytes than announced',
      'the connection was cut',
      (response) => half(response.writeHead(200, { 'content-length': 100 })),
    ],
    ['a chunk that never ends', 'the connection was cut', half],
    [
      'bytes that are not in their encoding',
      'its content encoding could not be undone (incorrect header check)',
      (response) => response.writeHead(200, gzip).end('plain'),
    ],
    [
      'half of a gzip member, without a length',
      'its content encoding could not be undone (unexpected end of file)',
      (response) => response.writeHead(200, gzip).end(zipped.subarray(0, zipped.length / 2)),
    ],
  ])('for %s leaves nothing on the disk, and no link: %s', async (_what, why, respond) => {
    await using store = await serve(respond)
    const { kept, onDisk } = await fetchResult(() => store.url + secret)

    expect([kept, onDisk]).toMatchObject([{ kind: 'unavailable', why }, []])
    expect(JSON.stringify(kept)).not.toMatch(/X-Signature|b61f0c/)
  })

  it('has no link in the message of a failed connection', async () => {
    const gone = await serveRaw({})
    await gone[Symbol.asyncDispose]()
    const { kept } = await fetchResult(() => gone.url + secret)

    expect(JSON.stringify(kept)).toContain(`127.0.0.1:${String(gone.port)}`)
    expect(JSON.stringify(kept)).not.toMatch(/X-Signature|b61f0c/)
  })
})

it('a cancellation ends a download at once, and leaves nothing', async () => {
  const cancellation = new AbortController()
  const clock = new SimulatedClock({ maxJump: 0 })
  await using store = await serve((response) => {
    response.write('half', () => cancellation.abort(new Error('the runner sent SIGINT')))
  })
  const { kept, onDisk } = await fetchResult(() => store.url, {
    clock,
    cancelled: cancellation.signal,
  })

  expect([kept, onDisk]).toMatchObject([{ kind: 'unavailable', why: 'cancelled' }, []])
  expect(clock.sleeping).toBe(0)
})
