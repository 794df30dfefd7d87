import { describe, expect, it } from '@jest/globals'
import { runBatch } from '../../../support/batch-run.ts'

const second = 1_000
const minute = 60 * second

describe('the runs of a batch', () => {
  it('use a slot at once when it becomes free, and no more slots than there are', async () => {
    const { records, service } = await runBatch(
      [{ takes: 10 * minute }, { takes: 0 }, { takes: minute }, { takes: 0 }],
      { maxParallel: 2 },
    )

    const [, second, third, fourth] = records
    expect(third?.startedAt).toBe(second?.endedAt)
    expect(fourth?.startedAt).toBe(third?.endedAt)
    expect(service.maxRunning).toBe(2)
  })

  it('are none, and a success, where there is no seed', async () => {
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

  it('tell how far they are, and what is to be expected', async () => {
    const { snapshots } = await runBatch(
      Array.from({ length: 10 }, () => ({ takes: 50 * second })),
      { maxParallel: 2, looksAt: [10 * second, 2 * minute] },
    )
    const [early, later] = snapshots

    expect(early).toMatchObject({ running: 2, waiting: 8, expectedRest: undefined })
    expect(later).toMatchObject({ running: 2, waiting: 4, counts: { succeeded: 4, total: 10 } })
    // Three rounds of about 50 s, of which the one that runs has begun.
    expect(later?.expectedRest).toBeGreaterThan(100 * second)
    expect(later?.expectedRest).toBeLessThan(150 * second)
  })

  it('expect the mean time of the runs whose whole time is known', async () => {
    const { snapshots } = await runBatch(
      [{ starts: [{ status: 400 }] }, { checks: { status: 404 } }, {}, {}, {}, {}],
      {
        maxParallel: 1,
        looksAt: [100 * second],
        recorded: ({ index }) =>
          index === 5
            ? { kind: 'ended', attempt: 1, executionId: 'kept', conclusion: 'success' }
            : { kind: 'none' },
        prepare: (service) => service.has('kept', { takes: 0 }),
      },
    )

    // The first runs were refused, and lost after 30 s. The run that is running has half of 60 s left.
    expect(snapshots).toMatchObject([
      { running: 1, waiting: 1, pending: 0, expectedRest: 90 * second + 300 },
    ])
  })

  it('expect nothing while only results are checked', async () => {
    let check = () => Promise.resolve()
    const { snapshots } = await runBatch([{ takes: 50 * second }, { takes: 20 * second }], {
      prepare: (_, clock) => (check = () => clock.sleep(5 * minute)),
      collaborators: { checkResult: () => check().then(() => undefined) },
      looksAt: [5 * minute + 40 * second],
    })

    expect(snapshots).toMatchObject([{ pending: 1, expectedRest: undefined }])
  })
})
