import { describe, expect, it } from '@jest/globals'
import type { EarlierRun } from '../../../../src/execution/batch/batch.ts'
import { runBatch } from '../../../support/batch-run.ts'

const second = 1_000
const minute = 60 * second

/** What an earlier attempt left, by the number of the seed. */
const leaving = (left: Record<number, EarlierRun>) => (seed: { index: number }) =>
  left[seed.index + 1]

describe('what an earlier attempt of the job left of a seed:', () => {
  it('what succeeded is kept, what runs is taken over, the rest is started', async () => {
    const batch = await runBatch([{}, {}, {}], {
      earlier: leaving({
        1: { executionId: 'done', conclusion: 'success' },
        2: { executionId: 'running' },
      }),
      prepare: (service) => {
        service.has('done', { takes: 0 }, minute)
        service.has('running', {}, 30 * second)
      },
    })
    const [kept, taken, started] = batch.records

    expect(kept).toMatchObject({ executionId: 'done', conclusion: 'success', resumed: true })
    expect(taken).toMatchObject({ executionId: 'running', conclusion: 'success', resumed: true })
    expect(started).toMatchObject({ executionId: 'e3', conclusion: 'success', resumed: false })
    expect(batch.service.starts).toHaveLength(1)
    expect(batch).toMatchObject({ conclusion: 'success', resumed: 2, failing: 0 })
  })

  it('what runs is taken over before others are started: no more run than may', async () => {
    const batch = await runBatch([{}, {}, {}, {}], {
      maxParallel: 1,
      earlier: leaving({ 4: { executionId: 'running' } }),
      prepare: (service) => service.has('running', {}),
    })

    expect(batch.service.mostRunning).toBe(1)
    expect(batch.service.starts[0]?.at).toBeGreaterThanOrEqual(minute)
  })

  it.each(['error', 'container-error', 'stopped'] as const)(
    'what ended as %s is started anew, also where nobody saw it end',
    async (ends) => {
      const batch = await runBatch([{}, {}], {
        earlier: leaving({
          1: { executionId: 'seen', conclusion: ends },
          2: { executionId: 'unseen' },
        }),
        prepare: (service) => {
          service.has('seen', { takes: 0, ends }, minute)
          service.has('unseen', { takes: 0, ends }, minute)
        },
      })

      expect(batch.service.starts).toHaveLength(2)
      expect(batch.counts.succeeded).toBe(2)
      expect(batch.records[0]?.attempts).toHaveLength(1)
      expect(batch.records[1]).toMatchObject({ resumed: false })
      expect(batch.records[1]?.attempts).toEqual([
        { executionId: 'unseen', conclusion: ends },
        { executionId: batch.records[1]?.executionId, conclusion: 'success' },
      ])
      expect(batch.told).toContain('0 run 2 anew after unseen')
    },
  )

  it('what failed after it was taken over has failed', async () => {
    const batch = await runBatch([{}], {
      earlier: leaving({ 1: { executionId: 'running' } }),
      prepare: (service) => service.has('running', { ends: 'error' }),
    })

    expect(batch.records[0]).toMatchObject({ conclusion: 'error', resumed: true })
    expect(batch.service.starts).toEqual([])
  })

  it('what the service does not know for 30 s is started anew, in the same slot', async () => {
    const batch = await runBatch([{}, {}], {
      maxParallel: 1,
      earlier: leaving({ 1: { executionId: 'lost' } }),
    })

    expect(batch.records[0]).toMatchObject({ conclusion: 'success', resumed: false })
    expect(batch.service.mostRunning).toBe(1)
    expect(batch.told).toContain('30000 run 1 anew after lost')
    expect(batch.told).toContain('30000 run 1 is e1')
  })

  it('what is started anew and may not have arrived has no id, whatever was before', async () => {
    const batch = await runBatch([{ starts: ['lost'] }], {
      earlier: leaving({ 1: { executionId: 'gone' } }),
    })

    expect(batch.records[0]?.conclusion).toBe('unknown')
    expect(batch.records[0]?.attempts).toEqual([{ executionId: 'gone', conclusion: 'unknown' }])
    expect(batch.records[0]?.executionId).toBeUndefined()
  })

  it('what may run and cannot be watched is not started again', async () => {
    const batch = await runBatch([{}], {
      earlier: leaving({ 1: { executionId: 'hidden' } }),
      prepare: (service) => service.has('hidden', { checks: { status: 403 } }),
    })

    expect(batch.records[0]).toMatchObject({ conclusion: 'unknown', executionId: 'hidden' })
    expect(batch.service.starts).toEqual([])
  })

  it('what is over when it is taken over needs no other check, for which there may be no time', async () => {
    const batch = await runBatch([{}], {
      earlier: leaving({ 1: { executionId: 'over' } }),
      prepare: (service) => service.has('over', { takes: 0 }),
    })

    expect(batch.records[0]).toMatchObject({ executionId: 'over', conclusion: 'success' })
    expect(batch.service.checks).toHaveLength(1)
  })

  it.each([
    { what: 'the time runs out', given: { timeout: minute }, conclusion: 'timed-out' },
    { what: 'the step is cancelled', given: { cancelAt: minute }, conclusion: 'cancelled' },
  ])('its id is told also where $what before its turn', async ({ given, conclusion }) => {
    const batch = await runBatch([{}, {}], {
      maxParallel: 1,
      ...given,
      earlier: leaving({ 1: { executionId: 'a' }, 2: { executionId: 'b' } }),
      prepare: (service) => {
        service.has('a', { takes: 10 * minute })
        service.has('b', { takes: 10 * minute })
      },
    })

    expect(batch.records).toMatchObject([
      { executionId: 'a', conclusion },
      { executionId: 'b', conclusion },
    ])
    expect(batch.counts).toMatchObject({ unfinished: 2, notStarted: 0 })
  })
})

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
    expect(batch.service.mostRunning).toBe(1)
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
