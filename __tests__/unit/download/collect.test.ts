import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { collect, type CollectContext } from '../../../src/download/collect.ts'
import type { DownloadedFile } from '../../../src/download/download.ts'
import type { Store } from '../../../src/download/store.ts'
import type { ExecutionStatus, Link } from '../../../src/service/contract.ts'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { downloadContext } from '../../support/download-run.ts'
import { record } from '../../support/execution-status.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
// Longer than any pause between links, and shorter than the stall timeout, because the clock also
// runs while a real disk is busy. After the deadline, only the test moves the clock.
const maxJump = 5 * second

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
  const clock = new SimulatedClock({ maxJump: wait < hour ? maxJump : 0 })
  let checks = 0
  const files = await collect(status, {
    ...downloadContext({ store: echo, clock }),
    makeFolder: () => Promise.resolve(folder.path),
    check: () => Promise.resolve(++checks > 0 ? fresh : old),
    turn: async (_cancelled, work) => {
      await clock.advance(wait)
      return work()
    },
    ...given(clock),
  })
  const result = await contentOf(files.result)
  const log = await contentOf(files.log)
  return { result, log, hasFolder: files.folder === folder.path, checks, clock }
}

const lost = (why: string) => ({ kind: 'unavailable', why })
const notKept = { kind: 'not-kept' }

describe('files that wait for their turn', () => {
  it('are fetched by the known links if their turn comes within 30 s', async () => {
    expect(await collectAfter(30 * second, old)).toMatchObject({
      result: 'old result',
      log: 'old log',
      hasFolder: true,
      checks: 0,
    })
  })

  it('are fetched by fresh links, requested once, if their turn comes later', async () => {
    expect(await collectAfter(30 * second + 1, old)).toMatchObject({
      result: 'fresh result',
      log: 'fresh log',
      checks: 1,
    })
  })

  it('are fetched even if the time of the step has run out', async () => {
    expect(await collectAfter(5 * hour, old)).toMatchObject({
      result: 'fresh result',
      log: 'fresh log',
    })
  })

  it('need no fresh links for files that are not kept', async () => {
    expect(await collectAfter(minute, links(null, null))).toMatchObject({
      result: notKept,
      log: notKept,
      checks: 0,
    })
  })

  it('are lost, not "not kept", if the service no longer has their links', async () => {
    const check = () => Promise.resolve(links('fresh result', null))
    expect(await collectAfter(minute, old, () => ({ check }))).toMatchObject({
      result: 'fresh result',
      log: lost('the service no longer has a link to it'),
    })
  })

  it('are lost a minute after the time of the step if no check is answered', async () => {
    const { result, log, clock } = await collectAfter(2 * hour, old, (clock) => ({
      check: async (signal) => {
        await Promise.all([clock.sleep(hour, signal), clock.advance(61 * second)])
        return fresh
      },
    }))

    const why = lost('no new link could be fetched: time ran out')
    expect([result, log]).toEqual([why, why])
    expect([clock.elapsed, clock.sleeping]).toEqual([2 * hour + 61 * second, 0])
  })
})

describe('files whose turn does not come', () => {
  const refused = () => Promise.reject(new Error('the queue was closed'))

  it('are lost for the same reason', async () => {
    const { result, log, hasFolder } = await collectAfter(0, old, () => ({ turn: refused }))

    const why = lost('the queue was closed')
    expect({ result, log, hasFolder }).toEqual({ result: why, log: why, hasFolder: false })
  })

  it('are lost because of the cancellation, if there was one', async () => {
    const cancelled = AbortSignal.abort(new Error('the runner sent SIGINT'))
    const { result, log } = await collectAfter(0, links('old result', null), () => ({
      cancelled,
      turn: refused,
    }))

    expect([result, log]).toEqual([lost('cancelled'), notKept])
  })
})

describe('files whose link is not usable', () => {
  const why = 'the service gave no usable link: expected one https address of at most 16 KiB'

  it('are fetched by the next usable link', async () => {
    expect(await collectAfter(0, links(undefined, 'old log'))).toMatchObject({
      result: 'fresh result',
      log: 'old log',
      checks: 1,
    })
  })

  it('are lost if there is no usable link', async () => {
    const check = () => Promise.resolve(links(undefined, undefined))
    const { result, log } = await collectAfter(0, links(undefined, 'old log'), () => ({ check }))

    expect([result, log]).toEqual([lost(why), 'old log'])
  })
})

describe('files without a folder', () => {
  it('are lost for the reason why the folder could not be made', async () => {
    const full = Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })
    const makeFolder = () => Promise.reject(full)
    const { result, log, checks } = await collectAfter(0, links(null, 'old log'), () => ({
      makeFolder,
    }))

    const gone = { ...lost('the disk is full'), obstacle: 'disk-full' }
    expect([result, log, checks]).toEqual([notKept, gone, 0])
  })
})
