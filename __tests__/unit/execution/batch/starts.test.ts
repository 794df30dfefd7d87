/** Tests the starts of a batch whose service does not accept all of them. */
import { describe, expect, it } from '@jest/globals'
import type { SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'
import { unclearFor } from '../../../../src/execution/batch/run-seed.ts'
import { runBatch } from '../../../support/batch-run.ts'
import type { BatchService, Course } from '../../../support/batch-service.ts'
import { connectionReset, httpError } from '../../../support/failures.ts'

const second = 1_000
const minute = 60 * second
const many = (count: number, course: Course = {}) => Array.from({ length: count }, () => course)
const conclusionsOf = ({ rows }: { rows: readonly { conclusion: string }[] }) =>
  rows.map(({ conclusion }) => conclusion)
const countOf = (batch: Parameters<typeof conclusionsOf>[0], conclusion: string) =>
  conclusionsOf(batch).filter((each) => each === conclusion).length

describe('a short outage', () => {
  it.each<[string, number, () => Error]>([
    ['503 without Retry-After', 20, () => httpError(503)],
    ['502', 20, () => httpError(502)],
    ['resets', 20, connectionReset],
    ['400 during a deploy', 20, () => httpError(400)],
    ['404 with a web page', 20, () => httpError(404, { isWebPage: true })],
    ['503 to the first starts', 0, () => httpError(503)],
  ])('loses at most three of 300 seeds: %s', async (_, from, failure) => {
    const batch = await runBatch(many(300, { takes: second }), {
      latency: 20,
      prepare: (service, clock) => {
        failStarts(service, () => {
          const isOut = clock.elapsed >= from * second && clock.elapsed < (from + 3) * second
          return isOut ? failure() : undefined
        })
      },
    })

    expect(batch.counts.succeeded).toBeGreaterThanOrEqual(297)
    expect(batch.stopped).toBeUndefined()
  })
})

it('a service that is slow to start delays the third start by 1 s only', async () => {
  const { service } = await runBatch(many(5), { latency: 10 * second })

  expect(service.starts.map(({ at }) => at)).toEqual([0, 0, second, second, second])
})

it('a run whose start must wait counts as waiting', async () => {
  const courses: Course[] = [{ starts: [{ status: 429, retryAfter: minute }] }, {}]
  const { snapshots } = await runBatch(courses, { snapshotsAt: [minute / 2] })

  expect(snapshots).toMatchObject([{ running: 1, waiting: 1 }])
})

describe('an unclear start', () => {
  it('keeps its slot for a minute', async () => {
    const courses: Course[] = [{ starts: ['lost'] }, { takes: 0 }]
    const batch = await runBatch(courses, { maxParallel: 1, snapshotsAt: [30 * second] })

    expect(batch.rows[1]?.startedAt).toBe(unclearFor)
    expect(batch.snapshots).toMatchObject([{ running: 0, kept: 1, waiting: 1 }])
  })

  it('is the end of all starts if it is the third in a row', async () => {
    const batch = await runBatch(many(30, { starts: ['lost'] }), { maxParallel: 1 })

    expect([countOf(batch, 'unknown'), countOf(batch, 'not-started')]).toEqual([3, 27])
    expect(batch).toMatchObject({ stopped: 'unclear-starts', conclusion: 'failure' })
  })

  it('does not delay the end of the batch', async () => {
    const batch = await runBatch([{}, { starts: ['lost'], takes: 0 }], { timeout: minute / 2 })
    const short = await runBatch([{ starts: ['lost'] }])

    expect([batch.endedAt, short.endedAt]).toEqual([minute / 2, 0])
  })
})

describe('refused credentials', () => {
  it('of the first starts stop nothing if another start is accepted', async () => {
    const refused = { starts: [{ status: 401 }] }
    const batch = await runBatch([refused, {}, {}, {}], {
      prepare: (service, clock) => delayStarts(service, (seed) => !seed.includes('401'), clock),
    })

    expect(batch.counts.notStarted).toBeLessThanOrEqual(1)
    expect(batch.counts.succeeded).toBeGreaterThanOrEqual(3)
    expect(batch.service.starts.length).toBeGreaterThanOrEqual(4)
  })
})

describe('a stop', () => {
  const late: Course = { starts: [{ status: 429, retryAfter: 50 * minute }] }

  it.each<[string, Course, boolean]>([
    ['a 401', { starts: [{ status: 401 }] }, false],
    ['a 400 with fail-fast', { starts: [{ status: 400 }] }, true],
  ])('after %s ends the pause of another start', async (_, course, failFast) => {
    const batch = await runBatch([late, course, {}], { maxParallel: 2, failFast })

    expect(batch.endedAt).toBeLessThan(second)
    expect(conclusionsOf(batch)[0]).toBe('not-started')
  })

  it('waits for the answer to a start that was sent', async () => {
    const batch = await runBatch([{ starts: [{ status: 400 }] }, { takes: 0 }, {}], {
      failFast: true,
      maxParallel: 2,
      prepare: (service, clock) =>
        delayStarts(service, (seed) => seed.includes('"takes":0'), clock),
    })

    expect(batch.rows[1]).toMatchObject({ conclusion: 'success', execution_id: 'e1' })
    expect(batch.endedAt).toBe(10 * second)
  })

  it('announces no retry', async () => {
    const courses: Course[] = [{ ends: 'error', takes: 0 }, { ends: 'container-error' }]
    const batch = await runBatch(courses, { retries: 1, failFast: true })

    expect(batch.log.filter((line) => line.endsWith('again'))).toEqual([])
  })
})

describe('an execution that another run already has', () => {
  const joined = (seeds: string[]) =>
    runBatch(many(2, { takes: 0 }), {
      maxParallel: 2,
      prepare: (service) => {
        const start = service.startAutomation.bind(service)
        let first: ReturnType<typeof start> | undefined
        service.startAutomation = (...given) => (first ??= start(...given))
      },
      seedText: (index) => seeds[index] ?? '{}',
    })

  it('ends as unknown if the seeds differ, and names both runs', async () => {
    const { rows } = await joined(['{"takes":0,"city":"Oslo"}', '{"takes":0,"city":"Bern"}'])

    expect(rows).toMatchObject([
      { conclusion: 'success', execution_id: 'e1' },
      { conclusion: 'unknown', execution_id: null },
    ])
    expect(rows[1]?.cause).toContain('execution e1, which run 1 (run 1) already has')
  })

  const uuid = '3fa85f64-5717-4562-b3fc-2c963f66afa6'

  it.each([uuid.toUpperCase(), uuid.replaceAll('-', '')])('is found as %s too', async (other) => {
    const ids = [uuid, other]
    const batch = await runBatch([{}, {}], {
      prepare: (service) => {
        for (const id of ids) service.has(id, { takes: 0 })
        service.startAutomation = () =>
          Promise.resolve({ executionId: ids.shift() ?? '', message: '', status: 200 })
      },
    })

    expect(conclusionsOf(batch)).toEqual(['success', 'unknown'])
  })

  it('is a notice if the seeds are equal', async () => {
    const batch = await joined(['{"takes":0}', '{"takes":0}'])

    expect(conclusionsOf(batch)).toEqual(['success', 'success'])
    expect(batch.log).toContain('0 run 2 shares e1 with run 1')
  })
})

it('a start that is refused while others run advises to lower max-parallel', async () => {
  const limit = { starts: [{ status: 409 }] }
  const [, beside] = (await runBatch([{}, limit])).rows
  const allRefused = (await runBatch([limit, limit, limit])).rows

  expect(beside?.advice).toContain('Or lower max-parallel')
  for (const row of allRefused) expect(row.advice).not.toContain('max-parallel')
})

it('a run that is not found while others are followed does not blame the address', async () => {
  const gone: Course = { checks: { status: 404 } }
  const [beside] = (await runBatch([gone, {}])).rows
  const [alone] = (await runBatch([gone])).rows

  expect(beside?.advice).not.toContain('status-base-url')
  expect(alone?.advice).toContain('status-base-url')
})

function failStarts(service: BatchService, failure: () => Error | undefined): void {
  const start = service.startAutomation.bind(service)
  service.startAutomation = async (...given) => {
    const error = failure()
    if (error) throw error
    return start(...given)
  }
}

/** Makes the answers to some starts take 10 s. */
function delayStarts(
  service: BatchService,
  isSlow: (seed: string) => boolean,
  clock: SimulatedClock,
): void {
  const start = service.startAutomation.bind(service)
  service.startAutomation = async (request, signal) => {
    if (isSlow(request.seed ?? '')) await clock.sleep(10 * second, signal)
    return start(request, signal)
  }
}
