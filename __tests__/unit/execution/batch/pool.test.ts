import { describe, expect, it } from '@jest/globals'
import { runBatch } from '../../../support/batch-run.ts'

const second = 1_000
const minute = 60 * second

describe('the runs of a batch', () => {
  it('use a slot as soon as it is free, and no more slots than max-parallel', async () => {
    const { records, service } = await runBatch(
      [{ takes: 10 * minute }, { takes: 0 }, { takes: minute }, { takes: 0 }],
      { maxParallel: 2 },
    )

    const [, second, third, fourth] = records
    expect(third?.startedAt).toBe(second?.endedAt)
    expect(fourth?.startedAt).toBe(third?.endedAt)
    expect(service.maxRunning).toBe(2)
  })

  it('are none if there is no seed, and the batch succeeds', async () => {
    expect(await runBatch([])).toMatchObject({
      conclusion: 'success',
      counts: { total: 0 },
      records: [],
    })
  })

  it('have counts whose sum is the total', async () => {
    const { counts, conclusion, records } = await runBatch(
      [
        {},
        { ends: 'error' },
        { ends: 'container-error' },
        { ends: 'stopped' },
        { starts: [{ status: 400 }] },
        { starts: ['lost'] },
        { takes: 20 * minute },
      ],
      { timeout: 10 * minute, maxParallel: 7 },
    )

    expect(counts).toEqual({
      total: 7,
      succeeded: 1,
      failed: 4,
      unknown: 1,
      unfinished: 1,
      notStarted: 0,
    })
    expect(conclusion).toBe('timed-out')
    expect(records.filter(({ failsStep }) => failsStep)).toHaveLength(6)
    expect(records.map(({ conclusion }) => conclusion)).toEqual([
      ...['success', 'error', 'container-error', 'stopped', 'refused', 'unknown', 'timed-out'],
    ])
  })

  it('are counted in snapshots, with the expected time', async () => {
    const { snapshots } = await runBatch(
      Array.from({ length: 10 }, () => ({ takes: 50 * second })),
      { maxParallel: 2, snapshotsAt: [10 * second, 2 * minute] },
    )
    const [early, later] = snapshots

    expect(early).toMatchObject({ running: 2, waiting: 8, expectedRest: undefined })
    expect(later).toMatchObject({ running: 2, waiting: 4, counts: { succeeded: 4, total: 10 } })
    // Three rounds of about 50 s remain, and the first of them has begun.
    expect(later?.expectedRest).toBeGreaterThan(100 * second)
    expect(later?.expectedRest).toBeLessThan(150 * second)
  })

  it('are expected to take the mean time of the runs whose whole time is known', async () => {
    const { snapshots } = await runBatch(
      [{ starts: [{ status: 400 }] }, { checks: { status: 404 } }, {}, {}, {}, {}],
      {
        maxParallel: 1,
        snapshotsAt: [100 * second],
        recorded: ({ index }) =>
          index === 5
            ? { kind: 'ended', attempt: 1, executionId: 'kept', conclusion: 'success' }
            : { kind: 'none' },
        prepare: (service) => service.has('kept', { takes: 0 }),
      },
    )

    // A run takes 60 s. The estimate is 60 s for the waiting run and 30 s for the run in progress.
    expect(snapshots).toMatchObject([
      { running: 1, waiting: 1, pending: 0, expectedRest: 90 * second + 300 },
    ])
  })

  it('have no expected time while only results are being checked', async () => {
    let check = () => Promise.resolve()
    const { snapshots } = await runBatch([{ takes: 50 * second }, { takes: 20 * second }], {
      prepare: (_, clock) => (check = () => clock.sleep(5 * minute)),
      collaborators: { checkResult: () => check().then(() => undefined) },
      snapshotsAt: [5 * minute + 40 * second],
    })

    expect(snapshots).toMatchObject([{ pending: 1, expectedRest: undefined }])
  })
})
