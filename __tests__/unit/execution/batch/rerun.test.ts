import { describe, expect, it } from '@jest/globals'
import type { Outcome } from '../../../../src/execution/conclusion.ts'
import type { Recorded } from '../../../../src/execution/begin.ts'
import type { BatchService } from '../../../support/batch-service.ts'
import { runBatch, type Given } from '../../../support/batch-run.ts'
import type { Course } from '../../../support/batch-service.ts'

const second = 1_000
const minute = 60 * second

/** Returns a function that looks up the recorded run of a seed. `runs`: by number of the seed. */
const recording = (runs: Record<number, Recorded>) => (seed: { index: number }) =>
  runs[seed.index + 1] ?? ({ kind: 'none' } as const)
const known = (executionId: string, outcome?: Outcome): Recorded => {
  return { kind: 'known', attempt: 1, executionId, outcome, isReported: false }
}

/** Runs a batch of one seed. The service knows the execution `before` if there is a course. */
async function runAgain(recorded: Recorded, course: Course | undefined, given: Given = {}) {
  const batch = await runBatch([{}], {
    ...given,
    recorded: () => recorded,
    prepare: (service, clock) => {
      if (course) service.has('before', course)
      given.prepare?.(service, clock)
    },
  })
  return { ...batch, record: batch.rows[0] }
}

describe('in a job that runs again', () => {
  it('successful runs are kept, running ones are taken over, and the others are started', async () => {
    const batch = await runBatch([{}, {}, {}], {
      recorded: recording({ 1: known('done', 'success'), 2: known('running') }),
      prepare: (service) => {
        service.has('done', { takes: 0 }, minute)
        service.has('running', {}, 30 * second)
      },
    })

    expect(batch.rows).toMatchObject([
      { execution_id: 'done', conclusion: 'success', resumed: true, startedAt: undefined },
      { execution_id: 'running', conclusion: 'success', resumed: true, startedAt: 0 },
      { execution_id: 'e3', conclusion: 'success', resumed: false },
    ])
    expect(batch.service.starts).toHaveLength(1)
    expect(batch.conclusion).toBe('success')
  })

  it('running executions are taken over before others are started, within max-parallel', async () => {
    const batch = await runBatch([{}, {}, {}, {}], {
      maxParallel: 1,
      recorded: recording({ 4: known('running') }),
      prepare: (service) => service.has('running', {}),
    })

    expect(batch.service.maxRunning).toBe(1)
    expect(batch.service.starts[0]?.at).toBeGreaterThanOrEqual(minute)
  })
})

it('a run that had failed is started anew, which is reported', async () => {
  const { record, service, log } = await runAgain(known('before'), { takes: 0, ends: 'stopped' })

  expect(service.starts).toHaveLength(1)
  expect(record).toMatchObject({ conclusion: 'success', resumed: false })
  expect(record?.attempts).toBe(2)
  expect(log).toContain('0 run 1 anew after before')
})

it('a run whose checks fail until the time runs out counts as timed-out', async () => {
  const { record, service, ...batch } = await runAgain(
    known('before'),
    { checks: { status: 502 } },
    { timeout: minute },
  )

  expect(record).toMatchObject({ execution_id: 'before', conclusion: 'timed-out', resumed: true })
  expect(record?.cause).toContain('the service answered 502')
  expect(batch.conclusion).toBe('timed-out')
  expect(record?.stopReason).toBe('timed-out')
  expect(batch.endedAt).toBeLessThanOrEqual(minute + 2 * second)
  expect(service.starts).toEqual([])
})

it.each([
  { what: 'the time runs out', given: { timeout: minute }, conclusion: 'timed-out' },
  { what: 'the step is cancelled', given: { cancelAt: minute }, conclusion: 'cancelled' },
])('a run is reported with its id even if $what before its turn', async ({ given, conclusion }) => {
  const batch = await runBatch([{}, {}], {
    maxParallel: 1,
    ...given,
    recorded: recording({ 1: known('a'), 2: known('b') }),
    prepare: (service) => {
      service.has('a', { takes: 10 * minute })
      service.has('b', { takes: 10 * minute })
    },
  })

  expect(batch.rows).toMatchObject([
    { execution_id: 'a', conclusion },
    { execution_id: 'b', conclusion },
  ])
  expect(batch.counts).toMatchObject({ unfinished: 2, notStarted: 0 })
})

it('a failed run that was not checked before a cancellation is not started', async () => {
  const batch = await runBatch([{}, {}], {
    maxParallel: 1,
    latency: 10 * second,
    cancelAt: second,
    recorded: recording({ 1: known('a', 'error'), 2: known('b', 'error') }),
  })

  expect(batch.rows).toMatchObject([
    { execution_id: 'a', conclusion: 'cancelled', resumed: true },
    { execution_id: null, conclusion: 'not-started', resumed: false },
  ])
})

it('a run whose new start is refused fails the step, and has no id', async () => {
  const batch = await runBatch([{ starts: [{ status: 400 }] }], {
    recorded: () => known('before'),
    prepare: (service) => service.has('before', { takes: 0, ends: 'error' }),
  })

  const end = { conclusion: 'refused', execution_id: null, failsStep: true }
  expect(batch.rows[0]).toMatchObject({ ...end, attempts: 1 })
})

it('a run whose check causes an internal error ends as unknown, with its id', async () => {
  let checks = 0
  const prepare = (service: BatchService) => {
    service.trouble = () => (checks++ === 0 ? new TypeError('a defect') : undefined)
  }
  const { record, service } = await runAgain(known('before'), {}, { prepare })

  const end = { conclusion: 'unknown', execution_id: 'before', resumed: false }
  expect(record).toMatchObject({ ...end, cause: 'a defect', failsStep: true })
  expect(service.starts).toEqual([])
})

it('a run that had failed has no id if an internal error prevents its new start', async () => {
  const batch = await runBatch([{ starts: ['unreached'] }], {
    recorded: () => known('before', 'error'),
    prepare: (service) => service.has('before', { takes: 0, ends: 'error' }),
    emit: (event) => {
      if (event.kind === 'run' && event.event.kind === 'not-accepted') throw new Error('a defect')
    },
  })

  const end = { conclusion: 'unknown', execution_id: null, cause: 'a defect' }
  expect(batch.rows[0]).toMatchObject({ ...end, failsStep: true, attempts: 1 })
})

it('a run that is started anew begins with its own start, not with the checks before it', async () => {
  const { record, service } = await runAgain(known('gone'), undefined)

  expect(service.starts).toMatchObject([{ at: 30 * second }])
  expect(record).toMatchObject({ conclusion: 'success', startedAt: 30 * second })
})

it('a run whose new start gets no clear answer has no id, although it had one before', async () => {
  const batch = await runBatch([{ starts: ['lost'] }], { recorded: () => known('gone') })

  expect(batch.rows[0]).toMatchObject({ conclusion: 'unknown', execution_id: null, attempts: 1 })
})

describe('the files of a run that is kept', () => {
  it('that cannot be fetched fail the step', async () => {
    const { record } = await runAgain(known('before', 'success'), { takes: 0, files: true })

    expect(record).toMatchObject({
      conclusion: 'success',
      failsStep: true,
      cause: 'the result could not be fetched: nothing is kept',
    })
  })

  it('that do not fit on the full disk are reported as such', async () => {
    const full = Object.assign(new Error('/tmp/result.part'), { code: 'ENOSPC' })
    const env = { makeFolder: () => Promise.reject(full) }
    const { record } = await runAgain(
      known('before', 'success'),
      { takes: 0, files: true },
      { env },
    )

    expect(record).toMatchObject({
      conclusion: 'success',
      failsStep: true,
      advice: expect.stringContaining('space'),
      cause: 'the result could not be fetched: /tmp/result.part',
    })
  })
})

describe('many runs that are kept', () => {
  it('get slots before the runs that are started, and have no start time', async () => {
    const kept = [2, 3, 4, 5]
    const batch = await runBatch([{}, {}, {}, {}, {}], {
      maxParallel: 1,
      recorded: recording(
        Object.fromEntries(kept.map((number) => [number, known(`k${number}`, 'success')])),
      ),
      prepare: (service) => {
        for (const number of kept) service.has(`k${number}`, { takes: 0 })
      },
    })

    const order = batch.log.flatMap((line) => /run (\d) is /.exec(line)?.[1] ?? [])
    expect(order).toEqual(['2', '3', '4', '5', '1'])
    expect(batch.rows.slice(1).map(({ startedAt }) => startedAt)).toEqual(
      Array<undefined>(4).fill(undefined),
    )
  })

  it('are unfinished if the time runs out before they are checked', async () => {
    const batch = await runBatch(
      Array.from({ length: 200 }, () => ({})),
      {
        timeout: 20 * second,
        recorded: ({ index }) => known(`k${index}`, 'success'),
        prepare: (service) => {
          for (let index = 0; index < 200; index++) service.has(`k${index}`, { takes: 0 })
        },
      },
    )
    const { succeeded, unfinished } = batch.counts

    expect(succeeded).toBeGreaterThanOrEqual(100)
    expect(succeeded).toBeLessThanOrEqual(112)
    expect(unfinished).toBe(200 - succeeded)
    expect(batch.conclusion).toBe('timed-out')
    expect(batch.endedAt).toBeLessThanOrEqual(22 * second)
    expect(batch.rows.at(-1)).toMatchObject({
      execution_id: 'k199',
      stopReason: 'timed-out',
      attempts: 1,
      startedAt: undefined,
    })
    expect(batch.log.filter((line) => / is k\d/.test(line))).toHaveLength(200)
  })
})
