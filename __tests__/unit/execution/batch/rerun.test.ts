/** Tests the runs of a batch in a job that runs again. `unit/execution/begin` has the whole table. */
import { describe, expect, it } from '@jest/globals'
import { stopWords } from '../../../../src/execution/batch/batch-types.ts'
import type { EarlierRun } from '../../../../src/execution/begin.ts'
import type { Outcome } from '../../../../src/execution/conclusion.ts'
import { runBatch, type Given } from '../../../support/batch-run.ts'
import type { Course } from '../../../support/batch-service.ts'

const second = 1_000
const minute = 60 * second

/** Returns a function that looks up the recorded run of a seed. `runs`: by number of the seed. */
const recording = (runs: Record<number, EarlierRun>) => (seed: { number: number }) =>
  runs[seed.number] ?? ({ kind: 'none' } as const)
const known = (executionId: string, outcome?: Outcome) => {
  return { kind: 'known', attempt: 1, executionId, outcome, isEndReported: false } as const
}

describe('in a job that runs again', () => {
  it('successful runs are kept, running ones are taken over first, and the others are started', async () => {
    const batch = await runBatch([{}, {}, {}], {
      maxParallel: 1,
      recorded: recording({
        2: { ...known('done', 'success'), startedAt: 0, endedAt: 90 * second },
        3: known('running'),
      }),
      prepare: (service) => {
        service.has('done', { takes: 0 }, minute)
        service.has('running', {}, 30 * second)
      },
    })

    const kept = { conclusion: 'success', isTakenOver: true, execution_count: 1 }
    const ownTimes = {
      started_at: '1970-01-01T00:00:00.000Z',
      finished_at: '1970-01-01T00:01:30.000Z',
    }
    expect(batch.rows).toMatchObject([
      { execution_id: 'e3', conclusion: 'success', isTakenOver: false },
      {
        ...kept,
        execution_id: 'done',
        startedAt: undefined,
        duration_seconds: 90,
        ...ownTimes,
        executions: [ownTimes],
      },
      { ...kept, execution_id: 'running', startedAt: 0, duration_seconds: 30 },
    ])
    expect(batch.service.starts).toHaveLength(1)
    expect(batch.service.maxRunning).toBe(1)
    expect(batch.conclusion).toBe('success')
  })

  const replaced = { execution_count: 2, isTakenOver: false, execution_id: 'e2' }
  it.each<[string, Course | undefined, Course, object]>([
    [
      'that failed is started anew',
      { takes: 0, ends: 'stopped' },
      {},
      { ...replaced, startedAt: 0 },
    ],
    // The new run begins with its own start, and not with the checks before it.
    ['that is gone is started anew', undefined, {}, { execution_id: 'e1', startedAt: 30 * second }],
    [
      'whose new start is refused has no id',
      { takes: 0, ends: 'error' },
      { starts: [{ status: 400 }] },
      { conclusion: 'refused', execution_id: null, execution_count: 1, failsStep: true },
    ],
    [
      'whose new start gets no clear answer has no id',
      { takes: 0, ends: 'error' },
      { starts: ['lost'] },
      { conclusion: 'unknown', execution_id: null, execution_count: 1 },
    ],
    [
      'whose result cannot be fetched fails the step',
      { takes: 0, files: true },
      {},
      {
        conclusion: 'success',
        failsStep: true,
        cause: 'the result could not be fetched: nothing is kept',
        advice: expect.stringContaining('etch'),
      },
    ],
  ])('a run %s', async (_, before, course, row) => {
    const batch = await runBatch([course], {
      recorded: () => known('before'),
      prepare: (service) => before && service.has('before', before),
    })

    expect(batch.rows).toMatchObject([row])
  })
})

describe('a run of an earlier attempt is reported with its id', () => {
  it.each<[string, Given, 'timed-out' | 'cancelled']>([
    ['the time runs out', { timeout: minute }, 'timed-out'],
    ['the step is cancelled', { cancelAt: minute }, 'cancelled'],
  ])('even if %s before its turn', async (_, given, conclusion) => {
    const batch = await runBatch([{}, {}], {
      maxParallel: 1,
      ...given,
      recorded: recording({ 1: known('a'), 2: known('b') }),
      prepare: (service) => {
        service.has('a', { takes: 10 * minute })
        service.has('b', { takes: 10 * minute })
      },
    })

    const unseen = {
      execution_id: 'b',
      execution_count: 1,
      isTakenOver: true,
      startedAt: undefined,
    }
    expect(batch.rows).toMatchObject([
      { conclusion, execution_id: 'a', cause: null },
      { conclusion, ...unseen, cause: stopWords[conclusion], advice: expect.any(String) },
    ])
    expect(batch.counts).toMatchObject({ unfinished: 2, notStarted: 0 })
    expect(batch.log.filter((line) => / is [ab]$/.test(line))).toHaveLength(2)
  })

  it('and with the answer, if its checks fail until the time runs out', async () => {
    const batch = await runBatch([{}], {
      timeout: minute,
      recorded: () => known('before'),
      prepare: (service) => service.has('before', { checks: { status: 502 } }),
    })

    const end = { execution_id: 'before', conclusion: 'timed-out', isTakenOver: true }
    expect(batch.rows).toMatchObject([{ ...end, cause: 'the service answered 502' }])
    expect(batch).toMatchObject({ conclusion: 'timed-out', stopped: 'timed-out' })
    expect(batch.endedAt).toBeLessThanOrEqual(minute + 2 * second)
    expect(batch.service.starts).toEqual([])
  })

  it('but is not started if it had failed, and was not checked before a cancellation', async () => {
    const batch = await runBatch([{}, {}], {
      maxParallel: 1,
      latency: 10 * second,
      cancelAt: second,
      recorded: recording({ 1: known('a', 'error'), 2: known('b', 'error') }),
    })

    expect(batch.rows).toMatchObject([
      { execution_id: 'a', conclusion: 'cancelled', isTakenOver: true },
      { execution_id: null, conclusion: 'not-started', isTakenOver: false },
    ])
  })
})

it('a run of an earlier attempt is followed even if the batch starts no more runs', async () => {
  const batch = await runBatch([{}, {}, {}], {
    maxParallel: 1,
    failFast: true,
    recorded: recording({ 1: known('a'), 2: known('b') }),
    prepare: (service) => {
      service.has('a', { takes: minute, ends: 'error' })
      service.has('b', { takes: minute })
    },
  })

  const ends = batch.rows.map(({ conclusion }) => conclusion)
  expect(ends).toEqual(['error', 'success', 'not-started'])
})

it('a run that had failed has no id if an internal error prevents its new start', async () => {
  const batch = await runBatch([{ starts: ['unreached'] }], {
    recorded: () => known('before', 'error'),
    prepare: (service) => service.has('before', { takes: 0, ends: 'error' }),
    emit: (event) => {
      if (event.kind === 'run' && event.event.kind === 'start-retry') throw new Error('a defect')
    },
  })

  const end = { conclusion: 'unknown', execution_id: null, cause: 'a defect' }
  expect(batch.rows[0]).toMatchObject({ ...end, failsStep: true, execution_count: 1 })
})

it('many runs are unfinished if the time runs out before they are checked', async () => {
  const courses = Array.from({ length: 200 }, () => ({}))
  const batch = await runBatch(courses, {
    timeout: 20 * second,
    recorded: ({ number }) => known(`k${number - 1}`, 'success'),
    prepare: (service) => {
      for (const index of courses.keys()) service.has(`k${index}`, { takes: 0 })
    },
  })
  const { succeeded, unfinished } = batch.counts

  expect(succeeded).toBeGreaterThanOrEqual(100)
  expect(succeeded).toBeLessThanOrEqual(112)
  expect(unfinished).toBe(200 - succeeded)
  expect(batch.endedAt).toBeLessThanOrEqual(22 * second)
})
