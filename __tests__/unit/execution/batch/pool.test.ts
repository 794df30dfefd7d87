/** Tests the slots of a batch, the counts, and the facts of its runs. */
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

  it('have one row and one count each, in the order of the seeds', async () => {
    const { counts, conclusion, duration, rows } = await runBatch(
      [
        {},
        { ends: 'error' },
        { ends: 'container-error' },
        { ends: 'stopped', files: true },
        { starts: [{ status: 400 }] },
        { starts: ['lost'] },
        { takes: 20 * minute },
      ],
      { timeout: 10 * minute, maxParallel: 7, isFailing: (ended) => ended !== 'stopped' },
    )

    expect(counts).toEqual({
      total: 7,
      succeeded: 1,
      failed: 4,
      unknown: 1,
      unfinished: 1,
      notStarted: 0,
    })
    expect([conclusion, duration]).toEqual(['timed-out', 10 * minute])
    expect(rows.map((row) => [row.number - 1, row.conclusion, row.failsStep])).toEqual([
      [0, 'success', true],
      [1, 'error', true],
      [2, 'container-error', true],
      [3, 'stopped', false],
      [4, 'refused', true],
      [5, 'unknown', true],
      [6, 'timed-out', true],
    ])
  })

  it('are none if there is no seed, and the batch succeeds', async () => {
    const nothing = { conclusion: 'success', counts: { total: 0 }, rows: [] }
    expect(await runBatch([])).toMatchObject(nothing)
  })

  it('are waiting while only their results are being checked', async () => {
    let check = () => Promise.resolve()
    const { snapshots } = await runBatch([{ takes: 50 * second }, { takes: 20 * second }], {
      prepare: (_, clock) => (check = () => clock.sleep(5 * minute)),
      env: { validate: () => check().then(() => ({ kind: 'passed' })) },
      snapshotsAt: [5 * minute + 40 * second],
    })

    expect(snapshots).toMatchObject([{ running: 0, waiting: 1 }])
  })
})

it('a retry waits for a slot again, and the row counts all executions', async () => {
  const courses = [{ endsInTurn: ['container-error' as const, 'success' as const] }, {}, {}]
  const batch = await runBatch(courses, {
    maxParallel: 1,
    retries: 1,
    snapshotsAt: [70 * second, 190 * second],
  })

  expect(batch.log).toContain('60000 run 1 again')
  expect(batch.snapshots).toMatchObject([
    { running: 1, waiting: 2, counts: { succeeded: 0, total: 3 } },
    { running: 1, waiting: 0, counts: { succeeded: 2, total: 3 } },
  ])
  const row = { conclusion: 'success', execution_id: 'e4', execution_count: 2, startedAt: 0 }
  expect(batch.rows[0]).toMatchObject(row)
  expect(batch.rows[0]?.executions).toMatchObject([{ execution_id: 'e1' }, { execution_id: 'e4' }])
  expect(batch.rows[0]?.endedAt).toBe(240 * second + 600)
  expect(batch.service.maxRunning).toBe(1)
})
