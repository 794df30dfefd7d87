import { once } from 'node:events'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { download, type DownloadContext } from '../../../src/download/download.ts'
import type { NextLink } from '../../../src/download/link-retry.ts'
import { NoFreshLinkError } from '../../../src/download/status-refresh.ts'
import type { Opened, Store } from '../../../src/download/store.ts'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { downloadContext } from '../../support/download-run.ts'
import { httpError } from '../../support/failures.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const etag = '"v1"'
// Milliseconds. Longer than any pause between links, and shorter than the stall timeout, so that
// the clock does not jump past the timeout while a real disk is busy.
const usualJump = 5_000

/** A store with scripted answers. The last answer repeats. Records requests and closed answers. */
class ScriptedStore implements Store {
  readonly asked: Record<string, string>[] = []
  readonly askedAt: number[] = []
  closed = 0
  readonly #answers: Pick<Opened, 'status' | 'headers' | 'body'>[]
  readonly #clock: SimulatedClock

  constructor(clock: SimulatedClock, ...answers: Pick<Opened, 'status' | 'headers' | 'body'>[]) {
    this.#clock = clock
    this.#answers = answers
  }

  open(_link: string, headers: Record<string, string>): Promise<Opened> {
    this.asked.push(headers)
    this.askedAt.push(this.#clock.elapsed)
    const answer = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0]
    if (!answer) throw new Error('no answer is scripted')
    return Promise.resolve({ ...answer, close: () => this.closed++ })
  }
}

async function* bytes(text: string) {
  yield Promise.resolve(Buffer.from(text))
}

async function* cutAfter(text: string) {
  yield* bytes(text)
  throw new Error('cut')
}

const refused = (status: number) => ({ status, headers: {}, body: bytes('') })
const cutAt = (text: string) => ({ status: 200, headers: {}, body: cutAfter(text) })

interface Given {
  nextLink?: (clock: SimulatedClock) => NextLink
  maxJump?: number
}

/** Fetches a file from a store with these answers, in a step that has an hour left. */
async function fetchFrom(
  answers: Pick<Opened, 'status' | 'headers' | 'body'>[],
  { nextLink, maxJump = usualJump }: Given = {},
) {
  const clock = new SimulatedClock({ maxJump })
  const store = new ScriptedStore(clock, ...answers)
  return { ...(await fetchIn(clock, store, { nextLink: nextLink?.(clock) })), store, clock }
}

async function fetchIn(
  clock: SimulatedClock,
  store: Store,
  {
    nextLink = () => Promise.resolve('https://store.test/x'),
    folder: given,
    ...context
  }: Partial<DownloadContext> & { nextLink?: NextLink | undefined; folder?: string } = {},
) {
  await using temporary = await makeTemporaryFolder()
  const folder = given ?? temporary.path
  const kept = await download(
    nextLink,
    { folder, name: 'result' },
    downloadContext({ store, clock, ...context }),
  )
  return { kept, text: kept.kind === 'file' ? await readFile(kept.path, 'utf8') : undefined }
}

describe('a file whose links bring no byte', () => {
  it('is given up after five links, with growing pauses, all answers closed', async () => {
    const { kept, store } = await fetchFrom([refused(403)])

    expect(kept).toEqual({ kind: 'unavailable', why: 'the store answered 403' })
    expect(store.askedAt).toEqual([0, 500, 1500, 3500, 7500])
    expect(store.closed).toBe(5)
  })

  it('is given up if no link gets further than an earlier one, even if the file begins anew', async () => {
    // Without an ETag, each link begins at the first byte. None gets further than the first link.
    const texts = ['abcdef', 'ab', 'abc', 'ab', 'abc', 'ab', 'abc']
    const { kept, store } = await fetchFrom(texts.map(cutAt))

    expect([kept, store.asked.length]).toEqual([{ kind: 'unavailable', why: 'cut' }, 6])
  })

  it('is not given up while the service is asked for fresh links, however long that takes', async () => {
    const late = { status: 200, headers: {}, body: bytes('late') }
    const nextLink = (clock: SimulatedClock) => async () => {
      for (let tens = 0; tens < 5; tens += 1) await clock.sleep(10_000)
      return 'https://store.test/x'
    }
    const answers = [refused(403), refused(403), refused(403), late]
    const { kept, clock } = await fetchFrom(answers, { nextLink, maxJump: 10_000 })

    expect([kept.kind, clock.elapsed > 200_000]).toEqual(['file', true])
  })

  it('is given up at once if the service refuses to send links', async () => {
    let asked = 0
    const why = 'the service answered 401'
    const nextLink = () => () => {
      asked += 1
      return Promise.reject(new NoFreshLinkError(why, { cause: httpError(401) }))
    }
    const { kept } = await fetchFrom([refused(403)], { nextLink })

    expect(kept).toEqual({ kind: 'unavailable', why, obstacle: 'credentials' })
    expect(asked).toBe(1)
  })
})

describe('a file that cannot be written', () => {
  it.each(['rows', ''])('is given up at once, and the reason names the file (%j)', async (text) => {
    await using folder = await makeTemporaryFolder()
    const clock = new SimulatedClock({ maxJump: usualJump })
    const store = new ScriptedStore(clock, { status: 200, headers: {}, body: bytes(text) })
    const missing = path.join(folder.path, 'missing')

    const { kept } = await fetchIn(clock, store, { folder: missing })

    const file = path.join(missing, 'result.part')
    const why = expect.stringMatching(/ENOENT: no such file or directory/) as unknown
    expect(kept).toEqual({ kind: 'unavailable', why, obstacle: 'disk' })
    expect(kept).toMatchObject({ why: expect.stringContaining(`${file}: `) })
    expect(store.asked).toHaveLength(1)
  })

  it('is given up if a folder has its final name', async () => {
    await using folder = await makeTemporaryFolder()
    await mkdir(path.join(folder.path, 'result.bin'))
    const clock = new SimulatedClock({ maxJump: usualJump })
    const store = new ScriptedStore(clock, { status: 200, headers: {}, body: bytes('rows') })

    const { kept } = await fetchIn(clock, store, { folder: folder.path })

    expect(kept).toMatchObject({
      obstacle: 'disk',
      why: expect.stringMatching(/: illegal operation on a directory/),
    })
    expect(await readdir(folder.path)).toEqual(['result.bin'])
  })
})

describe('a file that was received in part', () => {
  it('keeps this part after an answer without a byte', async () => {
    const headers = { etag, 'content-length': '10' }
    const rest = { etag, 'content-range': 'bytes 5-9/10' }
    const { text, store } = await fetchFrom([
      { ...cutAt('01234'), headers },
      refused(503),
      { status: 206, headers: rest, body: bytes('56789') },
    ])

    expect(text).toBe('0123456789')
    const resumption = { range: 'bytes=5-', 'if-range': etag }
    expect(store.asked).toEqual([{}, resumption, resumption])
  })
})

/** A store that refuses this many links, and then does not answer. */
class StallingStore implements Store {
  readonly stalled = Promise.withResolvers<undefined>()
  #refusals: number

  constructor(refusals: number) {
    this.#refusals = refusals
  }

  async open(_link: string, _headers: unknown, signal: AbortSignal): Promise<Opened> {
    if (this.#refusals-- > 0) return { ...refused(503), close: () => undefined }
    this.stalled.resolve(undefined)
    await once(signal, 'abort')
    throw new Error('the request was cut')
  }
}

describe('a file whose time runs out', () => {
  it('is given up ten minutes after the step’s time, even if bytes keep coming', async () => {
    const clock = new SimulatedClock({ maxJump: usualJump })
    // The body takes 800 s.
    const body = async function* () {
      for (let count = 0; count < 800; count++) {
        await clock.sleep(1_000)
        yield Buffer.from('x')
      }
    }
    const store = new ScriptedStore(clock, { status: 200, headers: {}, body: body() })

    const { kept } = await fetchIn(clock, store, { deadline: clock.now() + 10_000 })

    const why = 'it had not arrived 10 min after the input timeout ran out'
    expect(kept).toEqual({ kind: 'unavailable', why })
    expect(clock.elapsed).toBeGreaterThanOrEqual(610_000)
  })

  it.each([
    [0, 'no byte arrived for 30 s'],
    [2, 'no byte arrived for 30 s (the store answered 503)'],
  ])('names the failure of %d earlier links', async (refusals, why) => {
    const clock = new SimulatedClock({ maxJump: usualJump })
    const store = new StallingStore(refusals)

    const fetching = fetchIn(clock, store)
    await store.stalled.promise
    await clock.advance(30_000)

    expect((await fetching).kept).toEqual({ kind: 'unavailable', why })
  })
})
