import type { ServerResponse } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { cut, fetchResult } from '../support/download-run.ts'
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
  it.each([204, 206, 400, 403, 404, 410, 416, 500, 503])('after %d', async (status) => {
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

it.each([
  ['gzip', gzipSync('a,b\n')],
  ['br', brotliCompressSync('a,b\n')],
])('an encoding is undone: %s', async (encoding, bytes) => {
  await using store = await serve((response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(bytes),
  )
  expect((await fetchResult(() => store.url)).text).toBe('a,b\n')
})

describe('a file that cannot be fetched', () => {
  it('names the encoding of bytes that cannot be decoded', async () => {
    await using store = await serve((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain'),
    )

    expect((await fetchResult(() => store.url)).kept).toMatchObject({
      why: expect.stringMatching(/^its content encoding could not be undone .*header check/),
    })
  })

  it.each<[string, (response: ServerResponse) => void]>([
    [
      'fewer bytes than announced',
      (response) => {
        response.writeHead(200, { 'content-length': 100 })
        response.write('half', () => response.destroy())
      },
    ],
    ['a chunk that never ends', (response) => response.write('half', () => response.destroy())],
    [
      'bytes that are not in their encoding',
      (response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain')
      },
    ],
    [
      'half of a gzip member, without a length',
      (response) => {
        const bytes = gzipSync('rows'.repeat(1_000))
        response.writeHead(200, { 'content-encoding': 'gzip' })
        response.end(bytes.subarray(0, bytes.length / 2))
      },
    ],
  ])('for %s leaves nothing on the disk, and no link in the message', async (_what, respond) => {
    await using store = await serve(respond)
    const { kept, onDisk } = await fetchResult(() => store.url + secret)

    expect(kept.kind).toBe('unavailable')
    expect(JSON.stringify(kept)).not.toMatch(/X-Signature|b61f0c/)
    expect(onDisk).toEqual([])
  })

  it('has no link in the message of a failed connection', async () => {
    const gone = await serveRaw({})
    await gone[Symbol.asyncDispose]()
    const { kept } = await fetchResult(() => gone.url + secret)

    expect(JSON.stringify(kept)).toContain(`127.0.0.1:${String(gone.port)}`)
    expect(JSON.stringify(kept)).not.toMatch(/X-Signature|b61f0c/)
  })
})
