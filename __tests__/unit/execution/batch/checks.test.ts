import { Readable } from 'node:stream'
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
  it('to a start holds all starts, and no checks', async () => {
    const courses = [{ takes: 2 * minute }, { starts: [{ status: 429, retryAfter: minute }] }, {}]
    const { service, counts, snapshots } = await runBatch(courses, {
      maxParallel: 2,
      snapshotsAt: [40 * second, 2 * minute],
    })
    const held = ({ at }: { at: number }) => at > 0 && at < minute

    expect(service.starts.filter(held)).toEqual([])
    expect(service.checks.filter(held).length).toBeGreaterThan(10)
    expect(counts.succeeded).toBe(3)
    expect(snapshots.map(({ pauses }) => pauses.starts)).toEqual([20 * second, 0])
  })

  it('to the checks of one run holds that run, and the others for a minute', async () => {
    const held = { checks: { status: 429, retryAfter: 10 * minute } }
    const { rows, service } = await runBatch([held, ...many(12)], { timeout: 20 * minute })
    const others = service.checks.filter(({ executionId }) => executionId !== 'e1')

    expect(rows.map(({ conclusion }) => conclusion)).toEqual([
      'timed-out',
      ...Array<string>(12).fill('success'),
    ])
    expect(others.filter(({ at }) => at < minute)).toEqual([])
    expect(rows.at(-1)?.endedAt).toBeLessThan(6 * minute)
  })

  it('to all checks lets one check through each minute, until it is answered', async () => {
    const { service, counts } = await runBatch(many(5), {
      prepare: (service, clock) => {
        service.trouble = () =>
          clock.elapsed > 0 && clock.elapsed < 3 * minute
            ? httpError(503, { retryAfter: 2 * minute })
            : undefined
      },
    })
    const [first, ...probes] = service.checks.filter(({ at }) => at > 0 && at <= 4 * minute)

    expect(first?.at).toBeLessThan(second)
    expect(probes.map(({ at }) => Math.floor(at / minute)).slice(0, 3)).toEqual([1, 2, 3])
    expect(counts.succeeded).toBe(5)
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

  it('of the store does not delay other runs', async () => {
    const answer = { status: 429, headers: { 'retry-after': '3600' }, close: () => undefined }
    const store = { open: () => Promise.resolve({ ...answer, body: Readable.from([]) }) }
    const courses = [{ files: true, takes: 0 }, {}]
    const { rows } = await runBatch(courses, { store: () => store, maxParallel: 1 })

    const lost = { conclusion: 'success', failsStep: true, result_file: null }
    const cause = expect.stringContaining('the result could not be fetched: the store answered 429')
    expect(rows).toMatchObject([{ ...lost, cause }, { conclusion: 'success' }])
    expect(rows[1]?.endedAt).toBeLessThan(2 * minute)
  })
})
