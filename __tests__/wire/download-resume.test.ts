import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { CountingStore } from '../support/store-clients.ts'
import { cut, fetchResult } from '../support/download-run.ts'
import { serve, type Respond } from '../support/http-server.ts'

const rows = 'one,two,three\n'.repeat(5_000)

interface Shelf {
  /** The content of the file. */
  bytes: Buffer | string
  etag?: string
  encoding?: string
}

/** A store with ranges that cuts its first answer in half, and later serves `later`. */
function cuttingOnce(client: CountingStore, first: Shelf, later: Shelf = first): Respond {
  return (response, { headers }, count) => {
    const { bytes, etag, encoding } = count === 1 ? first : later
    const from =
      headers['if-range'] === etag && headers.range ? Number(/\d+/.exec(headers.range)) : 0
    const range = `bytes ${String(from)}-${String(bytes.length - 1)}/${String(bytes.length)}`
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': bytes.length - from,
      ...(etag ? { etag } : {}),
      ...(encoding ? { 'content-encoding': encoding } : {}),
      ...(from > 0 ? { 'content-range': range } : {}),
    })
    if (count === 1) cut(response, bytes.slice(0, bytes.length / 2), client)
    else response.end(bytes.slice(from))
  }
}

describe('a download that was cut', () => {
  it('continues where it stopped, if the file has not changed', async () => {
    const client = new CountingStore()
    await using store = await serve(cuttingOnce(client, { bytes: rows, etag: '"v1"' }))
    const { text, onDisk, links } = await fetchResult(() => store.url, { store: client })

    expect(text).toBe(rows)
    expect([onDisk, links]).toEqual([['result.bin'], 2])
    const { range, 'if-range': ifRange } = store.seen[1]?.headers ?? {}
    expect([range, ifRange]).toEqual([`bytes=${String(rows.length / 2)}-`, '"v1"'])
  })

  it.each([
    ['the ETag is weak', 'W/"v1"'],
    ['there is no ETag', undefined],
  ])('starts over when %s', async (_why, etag) => {
    const client = new CountingStore()
    await using store = await serve(cuttingOnce(client, { bytes: rows, ...(etag ? { etag } : {}) }))
    const { text } = await fetchResult(() => store.url, { store: client })

    expect(text).toBe(rows)
    expect(store.seen[1]?.headers).not.toHaveProperty('range')
  })

  it('starts over when the file has changed', async () => {
    const client = new CountingStore()
    const changed = rows.replaceAll('one', 'ONE')
    const later = { bytes: changed, etag: '"v2"' }
    await using store = await serve(cuttingOnce(client, { bytes: rows, etag: '"v1"' }, later))

    expect((await fetchResult(() => store.url, { store: client })).text).toBe(changed)
    expect(store.seen[1]?.headers.range).toBeDefined()
  })

  it('starts over when the store ignores ranges', async () => {
    const client = new CountingStore()
    await using store = await serve((response, _request, count) => {
      response.writeHead(200, { etag: '"v1"', 'content-length': rows.length })
      if (count === 1) cut(response, rows.slice(0, 100), client)
      else response.end(rows)
    })

    expect((await fetchResult(() => store.url, { store: client })).text).toBe(rows)
  })

  it('starts over after 416', async () => {
    const client = new CountingStore()
    await using store = await serve((response, { headers }, count) => {
      if (headers.range) response.writeHead(416).end()
      else {
        response.writeHead(200, { etag: '"v1"', 'content-length': rows.length })
        if (count === 1) cut(response, rows.slice(0, 100), client)
        else response.end(rows)
      }
    })
    const { text } = await fetchResult(() => store.url, { store: client })

    expect(text).toBe(rows)
    expect(store.seen.map(({ headers }) => headers.range)).toEqual([
      ...[undefined, 'bytes=100-', undefined],
    ])
  })
})

describe('an encoding is undone', () => {
  it.each([['gzip', gzipSync(rows)]])(
    '%s, in one piece and across a cut',
    async (encoding, bytes) => {
      const client = new CountingStore()
      const shelf = { bytes, encoding, etag: '"v1"' }
      await using store = await serve((response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(bytes)
      })
      await using cutting = await serve(cuttingOnce(client, shelf))

      expect((await fetchResult(() => store.url, { store: client })).text).toBe(rows)
      expect((await fetchResult(() => cutting.url, { store: client })).text).toBe(rows)
      expect(cutting.seen[1]?.headers.range).toBe(`bytes=${String(Math.trunc(bytes.length / 2))}-`)
    },
  )
})
