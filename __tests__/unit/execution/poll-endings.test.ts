import { describe, expect, it } from '@jest/globals'
import { NetworkError } from '../../../src/service/errors.ts'
import { finished, record, running } from '../../support/execution-status.ts'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { connectionReset, httpError } from '../../support/failures.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { watchRun } from '../../support/watch-run.ts'

const timedOut = { kind: 'timed-out', status: undefined, failure: undefined }
const noAnswer = new NetworkError('no answer arrived in time', { mayHaveArrived: true })

describe('a watch ends with the outcome', () => {
  it('of a run that finishes later', async () => {
    const failed = record({ finished: true, error: true })
    const { ending, checkedAt } = await watchRun([running, running, failed])

    expect(ending).toEqual({ kind: 'finished', outcome: 'error', status: failed })
    expect(checkedAt).toEqual([0, 5_000, 10_000])
  })

  it('of the finished record, when a failed run finishes within the 30 s', async () => {
    const link = 'https://store.example/log'
    const over = record({ finished: true, error: true, logs_url: link })
    const { ending, endedAt } = await watchRun([record({ error: true }), over])

    expect(ending).toEqual({ kind: 'finished', outcome: 'error', status: over })
    expect(endedAt).toBe(5_000)
  })

  it('of the finished run, if an earlier flag is taken back', async () => {
    const flagged = record({ error: true })
    const script = [flagged, flagged, running, ...Array<typeof flagged>(5).fill(flagged), finished]
    const { ending } = await watchRun(script)

    expect(ending).toMatchObject({ kind: 'finished', outcome: 'success' })
  })

  it('of the flags after the 30 s, even if the service no longer answers', async () => {
    const { ending, endedAt } = await watchRun([record({ error: true }), connectionReset()])

    expect(ending).toMatchObject({ kind: 'finished', outcome: 'error' })
    expect(endedAt).toBe(30_000)
  })
})

describe('a watch ends without an outcome', () => {
  it.each([401, 403])('at once after %d, with the last record', async (status) => {
    const failure = httpError(status, { words: 'no' })
    const { ending, checkedAt } = await watchRun([running, failure, finished])

    expect(ending).toEqual({ kind: 'refused', status: running, failure })
    expect(checkedAt).toEqual([0, 5_000])
  })

  it('after 30 s of 404, with a last check at their end', async () => {
    const failure = httpError(404)
    const { ending, checkedAt } = await watchRun([failure])

    expect(ending).toEqual({ kind: 'not-found', status: undefined, failure })
    expect(checkedAt).toEqual([0, 5_000, 10_000, 20_000, 30_000])
  })

  it.each([
    ['a proper answer', running],
    ['a 502', httpError(502)],
    ['a web page with 404', httpError(404, { isWebPage: true })],
  ])('not after 404s that %s interrupts', async (_, other) => {
    const missing = httpError(404)
    const script = [missing, missing, missing, other, missing, finished]

    expect((await watchRun(script)).ending).toMatchObject({ kind: 'finished', outcome: 'success' })
  })

  it('when its time runs out without any proper answer', async () => {
    const failure = connectionReset()
    const { ending, endedAt, counts } = await watchRun([failure], { timeout: 600_000 })

    expect(ending).toEqual({ ...timedOut, failure, failedChecks: counts.length })
    expect(endedAt).toBe(600_000)
  })

  it('as timed out, if 404 lasted less than 30 s', async () => {
    const failure = httpError(404)
    const { ending } = await watchRun([failure], { timeout: 12_000 })

    expect(ending).toMatchObject({ kind: 'timed-out', status: undefined, failure })
  })

  it('as timed out, not as not found, if the run was seen before the 404', async () => {
    const { ending } = await watchRun([running, httpError(404)], { timeout: 12_000 })

    expect(ending).toMatchObject({ kind: 'timed-out', status: running })
  })

  it('with an exception, if a check fails because of a bug', async () => {
    const bug = new TypeError('x is undefined')

    expect(await rejectionOf(watchRun([bug]))).toBe(bug)
  })
})

describe('a deadline while a check hangs', () => {
  const clock = new SimulatedClock()
  const hang = async (signal: AbortSignal) => {
    await clock.sleep(Infinity, signal).catch(() => undefined)
    throw new NetworkError('cut', { mayHaveArrived: true })
  }

  it('aborts the check, and ends the watch when the last check hangs for 2 s, too', async () => {
    const begun = clock.elapsed
    const hanging = await watchRun([running, hang], { clock, timeout: 60_000 })
    const { ending, endedAt, pauses } = hanging

    expect(pauses).toEqual([5_000, 0])
    expect(ending).toEqual({ ...timedOut, status: running, failure: noAnswer, failedChecks: 2 })
    expect(endedAt - begun).toBe(62_000)
  })

  it('aborts the check, and uses the answer of the last check', async () => {
    const script = [running, hang, finished]
    const { ending } = await watchRun(script, { clock, timeout: 60_000 })

    expect(ending).toMatchObject({ kind: 'finished', outcome: 'success' })
  })
})

describe('a watch without time makes one check', () => {
  it.each([
    ['a run that is still running', running, 'timed-out'],
    ['a finished run', finished, 'finished'],
    ['a failed run, finished or not', record({ error: true }), 'finished'],
    ['a missing run', httpError(404), 'timed-out'],
    ['refused credentials', httpError(401), 'refused'],
    ['a service in trouble', httpError(502), 'timed-out'],
  ])('of %s and ends with %3$s', async (_what, check, kind) => {
    const { ending, checkedAt, endedAt } = await watchRun([check], { timeout: 0 })

    expect(ending.kind).toBe(kind)
    expect([checkedAt, endedAt]).toEqual([[0], 0])
  })

  it('that may take as long as the plan says', async () => {
    const clock = new SimulatedClock()
    const hang = (signal: AbortSignal) => clock.sleep(Infinity, signal).then(() => running)
    const { ending, endedAt } = await watchRun([hang], { clock, timeout: 0, lastCheck: 10_000 })

    expect(ending).toEqual({ ...timedOut, failure: noAnswer, failedChecks: 1 })
    expect(endedAt).toBe(10_000)
  })
})
