import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { download } from '../../../src/download/download.ts'
import type { NextLink } from '../../../src/download/link-retry.ts'
import { NoFreshLinkError } from '../../../src/download/status-refresh.ts'
import type { Opened, Store } from '../../../src/download/store.ts'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { httpError } from '../../support/failures.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const etag = '"v1"'
// Milliseconds. Longer than any pause between links, shorter than the stall timeout, so that no
// time passes on the clock while a real disk is busy.
const maxJump = 5_000

/** Gives its answers, the last one from then on, and records requests and closed answers. */
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

async function fetchFrom(
  clock: SimulatedClock,
  store: Store,
  folder: string,
  nextLink: NextLink = () => Promise.resolve('https://store.test/x'),
) {
  const context = {
    store,
    clock,
    deadline: clock.now() + 3_600_000,
    cancelled: new AbortController().signal,
  }
  return download(nextLink, { folder, name: 'result' }, context)
}

describe('a file whose links bring no byte', () => {
  it('is given up after five links, with growing pauses, all answers closed', async () => {
    await using folder = await makeTemporaryFolder()
    const clock = new SimulatedClock({ maxJump })
    const store = new ScriptedStore(clock, refused(403))

    const kept = await fetchFrom(clock, store, folder.path)

    expect(kept).toEqual({ kind: 'unavailable', why: 'the store answered 403' })
    expect(store.askedAt).toEqual([0, 500, 1500, 3500, 7500])
    expect(store.closed).toBe(5)
  })

  it('is given up where links bring no byte past the furthest one, though the file begins anew', async () => {
    await using folder = await makeTemporaryFolder()
    const clock = new SimulatedClock({ maxJump })
    const weak = (text: string) => ({ status: 200, headers: {}, body: cutAfter(text) })
    // Without an ETag each link begins at the first byte; none comes as far as the first did.
    const texts = ['abcdef', 'ab', 'abc', 'ab', 'abc', 'ab', 'abc']
    const store = new ScriptedStore(clock, ...texts.map(weak))

    const kept = await fetchFrom(clock, store, folder.path)

    expect([kept, store.asked.length]).toEqual([{ kind: 'unavailable', why: 'cut' }, 6])
  })

  it('is not given up while the service is asked for fresh links, however long that takes', async () => {
    await using folder = await makeTemporaryFolder()
    const clock = new SimulatedClock({ maxJump: 10_000 })
    const store = new ScriptedStore(clock, refused(403), refused(403), refused(403), {
      status: 200,
      headers: {},
      body: bytes('late'),
    })
    const nextLink = async () => {
      for (let tens = 0; tens < 5; tens += 1) await clock.sleep(10_000)
      return 'https://store.test/x'
    }

    const kept = await fetchFrom(clock, store, folder.path, nextLink)

    expect([kept.kind, clock.elapsed > 200_000]).toEqual(['file', true])
  })

  it('is given up at once when the service gives no link any more', async () => {
    await using folder = await makeTemporaryFolder()
    const clock = new SimulatedClock({ maxJump })
    const store = new ScriptedStore(clock, refused(403))
    let asked = 0
    const nextLink = () => {
      asked += 1
      const cause = httpError(401)
      return Promise.reject(new NoFreshLinkError('the service answered 401', { cause }))
    }

    const kept = await fetchFrom(clock, store, folder.path, nextLink)

    const why = 'the service answered 401'
    expect(kept).toEqual({ kind: 'unavailable', why, isRefused: true })
    expect(asked).toBe(1)
  })
})

describe('a file of which a part came', () => {
  it('is given up when five links more bring no other byte', async () => {
    await using folder = await makeTemporaryFolder()
    const clock = new SimulatedClock({ maxJump })
    const part = () => ({ status: 200, headers: {}, body: cutAfter('01234') })
    const whole = { status: 200, headers: {}, body: bytes('0123456789') }
    const store = new ScriptedStore(clock, part(), part(), part(), part(), part(), part(), whole)

    const kept = await fetchFrom(clock, store, folder.path)

    expect(kept).toEqual({ kind: 'unavailable', why: 'cut' })
    expect(store.asked).toHaveLength(6)
  })

  it('keeps it through an answer that brings no byte', async () => {
    await using folder = await makeTemporaryFolder()
    const clock = new SimulatedClock({ maxJump })
    const headers = { etag, 'content-length': '10' }
    const rest = { etag, 'content-range': 'bytes 5-9/10' }
    const store = new ScriptedStore(
      clock,
      { status: 200, headers, body: cutAfter('01234') },
      refused(503),
      { status: 206, headers: rest, body: bytes('56789') },
    )

    const kept = await fetchFrom(clock, store, folder.path)

    if (kept.kind !== 'file') throw new Error(`not a file: ${JSON.stringify(kept)}`)
    expect(await readFile(kept.path, 'utf8')).toBe('0123456789')
    const resumption = { range: 'bytes=5-', 'if-range': etag }
    expect(store.asked).toEqual([{}, resumption, resumption])
  })
})

/** A store that refuses so many links, and then answers nothing. */
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
  it.each([
    [0, 'no byte came for 30 s'],
    [2, 'no byte came for 30 s (the store answered 503)'],
  ])('says of %d links before why they failed', async (refusals, why) => {
    await using folder = await makeTemporaryFolder()
    const clock = new SimulatedClock({ maxJump })
    const store = new StallingStore(refusals)

    const fetching = fetchFrom(clock, store, folder.path)
    await store.stalled.promise
    await clock.advance(30_000)

    expect(await fetching).toEqual({ kind: 'unavailable', why })
  })
})
