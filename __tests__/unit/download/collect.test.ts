import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { collect, type CollectContext } from '../../../src/download/collect.ts'
import {
  savedPathOf,
  type DownloadedFile,
  type DownloadEvent,
} from '../../../src/download/download.ts'
import type { Store } from '../../../src/download/store.ts'
import type { ExecutionStatus, Link } from '../../../src/service/contract.ts'
import { neverAborts, SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { record } from '../../support/execution-status.ts'
import { httpError } from '../../support/failures.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
// Longer than any pause between two tries. The clock must not jump further while a real disk is
// busy.
const maxJump = 10 * second

const links = (result_url: Link, logs_url: Link): ExecutionStatus =>
  record({ finished: true, result_url, logs_url })
const old = links('old result', 'old log')
const fresh = links('fresh result', 'fresh log')

async function* bytes(text: string) {
  yield Promise.resolve(Buffer.from(text))
}

/** Answers each link with its own text. */
const echo: Store = {
  open: (link) =>
    Promise.resolve({ status: 200, headers: {}, body: bytes(link), close: () => undefined }),
}

const contentOf = async (file: DownloadedFile) =>
  file.kind === 'file' ? readFile(file.path, 'utf8') : file

/** Collects files in a step that has an hour left, after waiting for a turn. */
async function collectAfter(
  wait: number,
  status: ExecutionStatus,
  given: (clock: SimulatedClock) => Partial<CollectContext> = () => ({}),
) {
  await using folder = await makeTemporaryFolder()
  const clock = new SimulatedClock({ maxJump })
  const events: DownloadEvent[] = []
  let checks = 0
  const files = await collect(status, {
    store: echo,
    clock,
    random: () => 1,
    deadlineAt: clock.now() + hour,
    cancelled: neverAborts,
    onDownload: (event) => events.push(event),
    makeFolder: () => Promise.resolve(folder.path),
    check: () => Promise.resolve(++checks > 0 ? fresh : old),
    withinDownloadLimit: async (_cancelled, work) => {
      await clock.advance(wait)
      return work()
    },
    ...given(clock),
  })
  const result = await contentOf(files.result)
  const log = await contentOf(files.log)
  const names = [files.result, files.log].map((file) => path.basename(savedPathOf(file)))
  return { result, log, names, hasFolder: files.folder === folder.path, checks, events, clock }
}

const lost = (why: string): unknown => expect.objectContaining({ kind: 'unavailable', why })
const notKept = { kind: 'not-kept' }

describe('files that wait for their turn', () => {
  const both = { result: 'fresh result', log: 'fresh log' }
  it.each<[string, number, ExecutionStatus, object]>([
    [
      'known links if their turn comes within 30 s',
      30 * second,
      old,
      { result: 'old result', log: 'old log', checks: 0 },
    ],
    [
      'fresh links, requested once, if it comes later',
      30 * second + 1,
      old,
      { ...both, checks: 1 },
    ],
    ['fresh links even if the time of the step has run out', 5 * hour, old, both],
    [
      'a fresh link even if only one file is kept',
      minute,
      links('old result', null),
      { result: 'fresh result', log: notKept },
    ],
    [
      'no fresh links if no file is kept',
      minute,
      links(null, null),
      { result: notKept, log: notKept, checks: 0 },
    ],
  ])('are fetched by %s', async (_, wait, status, files) => {
    expect(await collectAfter(wait, status)).toMatchObject({ ...files, hasFolder: true })
  })

  it('have the names of their kinds', async () => {
    expect((await collectAfter(0, old)).names).toEqual(['result.bin', 'run.log'])
  })

  it('are lost, not "not kept", if the service no longer has their links', async () => {
    const check = () => Promise.resolve(links('fresh result', null))
    expect(await collectAfter(minute, old, () => ({ check }))).toMatchObject({
      result: 'fresh result',
      log: lost('the service no longer has a link to it'),
    })
  })
})

describe('a check for new links that fails', () => {
  const failing = (...failures: (Error | ExecutionStatus)[]) => {
    const askedAt: number[] = []
    const given = (clock: SimulatedClock): Partial<CollectContext> => ({
      check: () => {
        askedAt.push(clock.elapsed - minute)
        const answer = failures.length > 1 ? failures.shift() : failures[0]
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? fresh)
      },
    })
    return { given, askedAt }
  }
  const down = httpError(503, { words: 'maintenance' })

  it('is a failed try of both files, and events say so', async () => {
    const { given, askedAt } = failing(down, down, fresh)
    const { result, log, events } = await collectAfter(minute, old, given)

    expect([result, log]).toEqual(['fresh result', 'fresh log'])
    expect(askedAt).toEqual([0, 500, 500, 1_500])
    const why = 'the service answered 503: maintenance'
    expect(events).toEqual([
      { kind: 'retry', what: 'result', why, pause: 500 },
      { kind: 'retry', what: 'log', why, pause: 500 },
      { kind: 'retry', what: 'result', why, pause: 1_000 },
    ])
  })

  // The time of the step is over when the turn comes.
  it('is repeated after a Retry-After that ends within 10 min', async () => {
    const { given } = failing(httpError(429, { retryAfter: 10 * minute - 1 }))
    const cancellation = new AbortController()
    const pauses: number[] = []
    const { result } = await collectAfter(2 * hour, old, (clock) => ({
      ...given(clock),
      cancelled: cancellation.signal,
      onDownload: (event) => {
        if (event.kind === 'retry') pauses.push(event.pause)
        cancellation.abort()
      },
    }))

    expect([pauses, result]).toEqual([[10 * minute - 1], lost('cancelled')])
  })

  it('is given up if Retry-After asks for more', async () => {
    const failure = httpError(429, { retryAfter: 10 * minute })
    const { given, askedAt } = failing(failure)

    expect((await collectAfter(2 * hour, old, given)).result).toMatchObject({ failure })
    expect(askedAt).toHaveLength(1)
  })
})

it.each([
  ['for the same reason', 'the queue was closed', neverAborts],
  ['because of a cancellation', 'cancelled', AbortSignal.abort(new Error('SIGINT'))],
])('files whose turn does not come are lost %s: %s', async (_, why, cancelled) => {
  const withinDownloadLimit = () => Promise.reject(new Error('the queue was closed'))
  const given = { withinDownloadLimit, cancelled }

  expect(await collectAfter(0, links('old result', null), () => given)).toMatchObject({
    result: lost(why),
    log: notKept,
    hasFolder: false,
  })
})

describe('files whose link is not usable', () => {
  const unusable = links(undefined, 'old log')

  it('are fetched by the next usable link', async () => {
    expect(await collectAfter(0, unusable)).toMatchObject({
      result: 'fresh result',
      log: 'old log',
      checks: 1,
    })
  })

  it('are lost if there is no usable link', async () => {
    const check = () => Promise.resolve(unusable)
    expect(await collectAfter(0, unusable, () => ({ check }))).toMatchObject({
      result: {
        why: 'the service gave no usable link: expected one https address of at most 16 KiB, without dot segments or backslashes in its path',
      },
      log: 'old log',
    })
  })
})

it('files without a folder are lost for the reason why it could not be made', async () => {
  const failure = Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })
  const makeFolder = () => Promise.reject(failure)

  expect(await collectAfter(0, links(null, 'old log'), () => ({ makeFolder }))).toMatchObject({
    result: notKept,
    log: { kind: 'unavailable', why: 'the disk is full', failure },
    checks: 0,
  })
})
