import { describe, expect, it } from '@jest/globals'
import { Deadline } from '../../../src/clock.ts'
import { maxProbeTime, probe, type ProbeResult } from '../../../src/execution/probe.ts'
import type { ExecutionStatus } from '../../../src/service/contract.ts'
import { neverAborts, SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { finished, running } from '../../support/execution-status.ts'
import { connectionReset, httpError } from '../../support/failures.ts'

type Answer = ExecutionStatus | Error

const ignore = () => undefined
const resets = Array.from({ length: 4 }, () => connectionReset())

/** Probes an execution whose checks have these answers. The last answer repeats. */
async function probed(answers: readonly Answer[], cancelled = neverAborts, span = maxProbeTime) {
  const clock = new SimulatedClock()
  using deadline = new Deadline(clock, span, cancelled)
  const seen: ExecutionStatus[] = []
  let checks = 0
  const executionStatus = (): Promise<ExecutionStatus> => {
    const answer = answers[Math.min(checks, answers.length - 1)]
    checks += 1
    if (answer instanceof Error || answer === undefined)
      return Promise.reject(answer ?? new Error())
    return Promise.resolve(answer)
  }
  const result: ProbeResult = await probe('exec-1', {
    service: { executionStatus },
    clock,
    cancelled,
    random: () => 0,
    deadline,
    listener: { onStatus: (status) => seen.push(status), onCheck: ignore },
  })
  const took = clock.elapsed
  deadline[Symbol.dispose]()
  return { result, checks, seen, took, sleeping: clock.sleeping }
}

describe('a probe of an earlier execution', () => {
  it.each<[string, ExecutionStatus, Partial<ProbeResult>]>([
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
  ])('finds with one answer that %s', async (_, status, expected) => {
    const { result, checks, seen, took } = await probed([status])
    expect(result).toMatchObject(expected)
    expect([checks, seen, took]).toEqual([1, [status], 0])
  })

  it.each<[string, Error]>([
    ['a reset', connectionReset()],
    ['a 502', httpError(502)],
    ['a 429', httpError(429)],
    ['a 404', httpError(404)],
    ['a 422', httpError(422)],
  ])('waits through %s for the first proper answer', async (_, failure) => {
    const { result, checks } = await probed([failure, failure, running])
    expect([result.kind, checks]).toEqual(['running', 3])
  })

  it.each([401, 403])('is refused by %d at once', async (status) => {
    const failure = httpError(status)
    const { result, took } = await probed([failure])
    expect({ result, took }).toMatchObject({ result: { kind: 'refused', failure }, took: 0 })
  })

  it('finds nothing after 30 s of 404, and not before', async () => {
    const failure = httpError(404)
    const { result, took } = await probed([failure])
    expect([result, took]).toEqual([{ kind: 'not-found', failure }, 30_000])
  })

  it.each<[string, Answer[]]>([
    ['resets', [connectionReset()]],
    ['500', [httpError(500)]],
    ['429 with Retry-After of a day', [httpError(429, { retryAfter: 86_400_000 })]],
    ['400', [httpError(400)]],
    ['404 after resets: it has not lasted for 30 s', [...resets, httpError(404)]],
    ['one 404 with Retry-After of a day', [httpError(404, { retryAfter: 86_400_000 })]],
  ])('learns nothing in 32 s of %s', async (_, answers) => {
    const { result, took, sleeping } = await probed(answers)
    expect(result).toMatchObject({ kind: 'unavailable', failure: answers.at(-1) })
    expect([took, sleeping]).toEqual([32_000, 0])
  })

  it.each([
    { latency: 28_000, kind: 'unavailable', checks: 4, why: 'it has not lasted for 30 s' },
    { latency: 1_500, kind: 'not-found', checks: 7, why: 'there is time for a slow answer' },
  ])('ends with $kind if the first 404 took $latency ms: $why', async (given) => {
    const clock = new SimulatedClock()
    using deadline = new Deadline(clock, maxProbeTime)
    const failure = httpError(404)
    let checks = 0
    const executionStatus = async (): Promise<ExecutionStatus> => {
      if (++checks === 1) await clock.sleep(given.latency)
      throw failure
    }
    const result = await probe('exec-1', {
      service: { executionStatus },
      clock,
      cancelled: neverAborts,
      random: () => 0,
      deadline,
      listener: { onStatus: ignore, onCheck: ignore },
    })
    expect(result).toMatchObject({ kind: given.kind, failure })
    expect(checks).toBe(given.checks)
    expect(clock.elapsed).toBeLessThanOrEqual(maxProbeTime)
  })

  it('that may take longer ends with not-found when 404 has lasted for 30 s, whatever came before', async () => {
    const failure = httpError(404)
    const { result, took } = await probed([httpError(500), failure], neverAborts, 600_000)
    expect(result).toEqual({ kind: 'not-found', failure })
    expect(took).toBeGreaterThan(30_000)
    expect(took).toBeLessThan(60_000)
  })

  it('ends when the step is cancelled', async () => {
    const { result, checks } = await probed([running], AbortSignal.abort())
    expect([result, checks]).toEqual([{ kind: 'cancelled' }, 0])
  })
})
