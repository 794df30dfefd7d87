import { describe, expect, it } from '@jest/globals'
import { runBatch } from '../../../support/batch-run.ts'
import { httpError } from '../../../support/failures.ts'

const second = 1_000
const minute = 60 * second
const many = (count: number, course = {}) => Array.from({ length: count }, () => course)

describe('all checks together', () => {
  it('stay at 5 a second, and each run is checked as often as the others', async () => {
    const { service } = await runBatch(many(60, { takes: 10 * minute }), {
      maxParallel: 60,
      timeout: 5 * minute,
    })
    const counts = [...service.executions.keys()].map(
      (id) => service.checks.filter(({ executionId }) => executionId === id).length,
    )

    expect(service.shortestGap()).toBeCloseTo(200)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2)
    expect(Math.min(...counts)).toBeGreaterThan(15)
  })

  it('of one run have pauses that reserve a tenth of the budget for other checks', async () => {
    const { service } = await runBatch(many(90, { takes: 2 * minute }), {
      maxParallel: 90,
    })
    const moments = service.checks.flatMap(({ executionId, at }) =>
      executionId === 'e1' ? at : [],
    )

    // The first pause began before all runs had started. The second check waited for the budget.
    expect(moments.slice(0, 4)).toEqual([0, 18 * second, 38 * second, 58 * second])
  })
})

describe('a Retry-After', () => {
  it('to the checks of one run holds that run, and the others for a minute', async () => {
    const held = { checks: { status: 429, retryAfter: 10 * minute } }
    const given = { timeout: 20 * minute, snapshotsAt: [minute / 2] }
    const { rows, service, snapshots } = await runBatch([held, ...many(12)], given)
    const others = service.checks.filter(({ executionId }) => executionId !== 'e1')

    expect(rows.map(({ conclusion }) => conclusion)).toEqual([
      'timed-out',
      ...Array<string>(12).fill('success'),
    ])
    expect(others.filter(({ at }) => at < minute)).toEqual([])
    expect(rows.at(-1)?.endedAt).toBeLessThan(6 * minute)
    expect(snapshots).toMatchObject([{ pauses: { starts: 0, checks: expect.any(Number) } }])
    expect(snapshots[0]?.pauses.checks).toBeCloseTo(9.5 * minute, -3)
  })

  it('makes a batch send few starts side by side, so that a service with a limit accepts all', async () => {
    const accepted: number[] = []
    const { counts, service } = await runBatch(many(100), {
      maxParallel: 100,
      latency: 100,
      prepare: (service, clock) => {
        // The service accepts ten starts a second, and any number of checks.
        const start = service.startAutomation.bind(service)
        service.startAutomation = async (request, signal) => {
          const now = clock.elapsed
          if (accepted.filter((at) => at > now - second).length >= 10) {
            service.starts.push({ seed: 'refused', at: now })
            await clock.sleep(100)
            throw httpError(429, { retryAfter: second })
          }
          accepted.push(now)
          return start(request, signal)
        }
      },
    })

    expect(counts.succeeded).toBe(100)
    // The service refuses 90 of the first 100 starts, and later less than one for each accepted start.
    expect(service.starts.length).toBeLessThan(100 + 90 + 90)
  })
})
