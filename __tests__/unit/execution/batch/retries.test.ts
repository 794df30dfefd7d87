import { describe, expect, it } from '@jest/globals'
import { runBatch } from '../../../support/batch-run.ts'

const second = 1_000

describe('retries', () => {
  it('take place in the slot of the run, and all executions are on record', async () => {
    const flaky = { endsInTurn: ['container-error', 'success'] as const }
    const batch = await runBatch([{ endsInTurn: [...flaky.endsInTurn] }, {}], {
      maxParallel: 1,
      retries: 1,
    })

    expect(batch.told).toContain('60000 run 1 again')
    expect(batch.records[0]).toMatchObject({ conclusion: 'success', executionId: 'e2' })
    expect(batch.records[0]?.attempts).toEqual([
      { executionId: 'e1', conclusion: 'container-error' },
      { executionId: 'e2', conclusion: 'success' },
    ])
    expect(batch.service.maxRunning).toBe(1)
    expect(batch.counts.succeeded).toBe(2)
  })

  it('come before fail-fast: only the last end counts', async () => {
    const batch = await runBatch([{ endsInTurn: ['container-error', 'success'] }, {}], {
      maxParallel: 1,
      retries: 1,
      failFast: true,
    })

    expect([batch.conclusion, batch.stopped]).toEqual(['success', undefined])
  })

  it('are not started any more after fail-fast: the end before counts', async () => {
    const batch = await runBatch(
      [{ ends: 'error', takes: 20 * second }, { ends: 'container-error' }],
      { retries: 1, failFast: true },
    )

    expect(batch.records[1]).toMatchObject({ conclusion: 'container-error', executionId: 'e2' })
    expect(batch.service.starts).toHaveLength(2)
  })
})
