import { describe, expect, it } from '@jest/globals'
import { lookAt, type Look } from '../../../src/execution/look.ts'
import type { ExecutionStatus } from '../../../src/service/contract.ts'
import { neverAborts, SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { finished, running } from '../../support/execution-status.ts'
import { connectionReset, httpError } from '../../support/failures.ts'

type Answer = ExecutionStatus | Error

/** Looks at an execution whose checks bring these, and the last one ever after. */
async function look(answers: readonly Answer[], cancelled = neverAborts) {
  const clock = new SimulatedClock()
  const seen: ExecutionStatus[] = []
  let checks = 0
  const executionStatus = (): Promise<ExecutionStatus> => {
    const answer = answers[Math.min(checks, answers.length - 1)]
    checks += 1
    if (answer instanceof Error || answer === undefined)
      return Promise.reject(answer ?? new Error())
    return Promise.resolve(answer)
  }
  const told: Look = await lookAt('exec-1', {
    service: { executionStatus },
    clock,
    cancelled,
    random: () => 0,
    onStatus: (status) => seen.push(status),
  })
  return { told, checks, seen, took: clock.elapsed, sleeping: clock.sleeping }
}

describe('a look at what was started before', () => {
  it.each<[string, ExecutionStatus, Partial<Look>]>([
    ['it runs', running, { kind: 'running' }],
    ['it succeeded', finished, { kind: 'finished', outcome: 'success' }],
    ['it failed', { ...finished, error: true }, { kind: 'finished', outcome: 'error' }],
    [
      'its container died',
      { ...finished, container_error: true },
      { kind: 'finished', outcome: 'container-error' },
    ],
    ['it was stopped', { ...finished, stopped: true }, { kind: 'finished', outcome: 'stopped' }],
    ['it has failed and not finished yet', { ...running, error: true }, { kind: 'running' }],
  ])('learns from one answer that %s', async (_, status, expected) => {
    const { told, checks, seen, took } = await look([status])
    expect(told).toMatchObject(expected)
    expect([checks, seen, took]).toEqual([1, [status], 0])
  })

  it.each<[string, Error]>([
    ['a reset', connectionReset()],
    ['a 502', httpError(502)],
    ['a 429', httpError(429)],
    ['a 404', httpError(404)],
    ['a 422', httpError(422)],
  ])('waits through %s for the first proper answer', async (_, failure) => {
    const { told, checks } = await look([failure, failure, running])
    expect([told.kind, checks]).toEqual(['running', 3])
  })

  it.each([401, 403])('is refused by %d at once', async (status) => {
    const failure = httpError(status)
    const { told, took } = await look([failure])
    expect([told, took]).toEqual([{ kind: 'refused', failure }, 0])
  })

  it('finds nothing after 30 s of 404, and not before', async () => {
    const failure = httpError(404)
    const { told, took } = await look([failure])
    expect([told, took]).toEqual([{ kind: 'not-found', failure }, 30_000])
  })

  it.each<[string, Answer[]]>([
    ['resets', [connectionReset()]],
    ['500', [httpError(500)]],
    ['429 with Retry-After of a day', [httpError(429, { retryAfter: 86_400_000 })]],
    ['400', [httpError(400)]],
    ['404 after a 500: it has not lasted for 30 s', [httpError(500), httpError(404)]],
    ['one 404 that forbids to ask again', [httpError(404, { retryAfter: 86_400_000 })]],
  ])('learns nothing in 30 s of %s', async (_, answers) => {
    const { told, took, sleeping } = await look(answers)
    expect(told).toEqual({ kind: 'not-learned', failure: answers.at(-1) })
    expect([took, sleeping]).toEqual([30_000, 0])
  })

  it.each([
    { latency: 28_000, kind: 'not-learned', checks: 3, why: 'it has not lasted for 30 s' },
    { latency: 2_000, kind: 'not-found', checks: 6, why: 'the wait for the answer counts' },
  ])('comes to $kind where a 404 came after $latency ms: $why', async (given) => {
    const clock = new SimulatedClock()
    const failure = httpError(404)
    let checks = 0
    const executionStatus = async (): Promise<ExecutionStatus> => {
      if (++checks === 1) await clock.sleep(given.latency)
      throw failure
    }
    const told = await lookAt('exec-1', {
      service: { executionStatus },
      clock,
      cancelled: neverAborts,
      random: () => 0,
      onStatus: () => undefined,
    })
    expect([told, checks]).toEqual([{ kind: given.kind, failure }, given.checks])
    expect(clock.elapsed).toBe(30_000)
  })

  it('ends with the step', async () => {
    const { told, checks } = await look([running], AbortSignal.abort())
    expect([told, checks]).toEqual([{ kind: 'cancelled' }, 0])
  })
})
