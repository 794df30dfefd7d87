import { describe, expect, it } from '@jest/globals'
import { runBatch } from '../../../support/batch-run.ts'

const second = 1_000

describe('retries', () => {
  it('wait for a slot again, and the record has all executions', async () => {
    const batch = await runBatch([{ endsInTurn: ['container-error', 'success'] }, {}], {
      maxParallel: 1,
      retries: 1,
      snapshotsAt: [70 * second, 130 * second],
    })

    expect(batch.log).toContain('60000 run 1 again')
    expect(batch.snapshots).toMatchObject([
      { running: 1, pending: 1, waiting: 0 },
      { running: 1, pending: 0, waiting: 0 },
    ])
    expect(batch.rows[0]?.endedAt).toBe(180 * second + 400)
    expect(batch.rows[0]).toMatchObject({ conclusion: 'success', execution_id: 'e3' })
    expect(batch.rows[0]?.attempts).toBe(2)
    expect(batch.service.maxRunning).toBe(1)
    expect(batch.counts.succeeded).toBe(2)
  })

  it('are made before fail-fast applies, and only the last end counts', async () => {
    const batch = await runBatch([{ endsInTurn: ['container-error', 'success'] }, {}], {
      maxParallel: 1,
      retries: 1,
      failFast: true,
    })

    expect([batch.conclusion, batch.stopped]).toEqual(['success', undefined])
  })

  it('are not started after fail-fast, and the last end counts', async () => {
    const batch = await runBatch(
      [{ ends: 'error', takes: 20 * second }, { ends: 'container-error' }],
      { retries: 1, failFast: true },
    )

    expect(batch.rows[1]).toMatchObject({ conclusion: 'container-error', execution_id: 'e2' })
    expect(batch.service.starts).toHaveLength(2)
  })
})
