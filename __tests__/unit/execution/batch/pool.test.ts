import { describe, expect, it } from '@jest/globals'
import { runBatch } from '../../../support/batch-run.ts'

const second = 1_000
const minute = 60 * second

describe('the runs of a batch', () => {
  it('use a slot as soon as it is free, and no more slots than max-parallel', async () => {
    const { rows, service } = await runBatch(
      [{ takes: 10 * minute }, { takes: 0 }, { takes: minute }, { takes: 0 }],
      { maxParallel: 2 },
    )

    const [, second, third, fourth] = rows
    expect(third?.startedAt).toBe(second?.endedAt)
    expect(fourth?.startedAt).toBe(third?.endedAt)
    expect(service.maxRunning).toBe(2)
  })

  it('are none if there is no seed, and the batch succeeds', async () => {
    expect(await runBatch([])).toMatchObject({
      conclusion: 'success',
      counts: { total: 0 },
      rows: [],
    })
  })

  it('have counts whose sum is the total', async () => {
    const { counts, conclusion, rows } = await runBatch(
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
    expect(rows.filter(({ failsStep }) => failsStep)).toHaveLength(6)
    expect(rows.map(({ conclusion }) => conclusion)).toEqual([
      ...['success', 'error', 'container-error', 'stopped', 'refused', 'unknown', 'timed-out'],
    ])
  })

  it('are counted in snapshots', async () => {
    const { snapshots } = await runBatch(
      Array.from({ length: 10 }, () => ({ takes: 50 * second })),
      { maxParallel: 2, snapshotsAt: [10 * second, 2 * minute] },
    )
    const [early, later] = snapshots

    expect(early).toMatchObject({ running: 2, waiting: 8 })
    expect(later).toMatchObject({ running: 2, waiting: 4, counts: { succeeded: 4, total: 10 } })
  })

  it('are pending while only their results are being checked', async () => {
    let check = () => Promise.resolve()
    const { snapshots } = await runBatch([{ takes: 50 * second }, { takes: 20 * second }], {
      prepare: (_, clock) => (check = () => clock.sleep(5 * minute)),
      env: { validate: () => check().then(() => ({ kind: 'valid' })) },
      snapshotsAt: [5 * minute + 40 * second],
    })

    expect(snapshots).toMatchObject([{ running: 0, pending: 1, waiting: 0 }])
  })
})
