import { describe, expect, it } from '@jest/globals'
import { runBatch } from '../../../support/batch-run.ts'
import { httpError } from '../../../support/failures.ts'

const second = 1_000
const minute = 60 * second

const succeeded = (executionId: string) => ({ executionId, conclusion: 'success' as const })

describe('what an earlier attempt of the job saw succeed', () => {
  it('and the service does not know for 30 s stays one, and says so', async () => {
    const batch = await runBatch([{}], { earlier: () => succeeded('gone') })

    expect(batch.records[0]).toMatchObject({
      executionId: 'gone',
      conclusion: 'success',
      failsStep: false,
      cause: expect.stringContaining('the service no longer has this execution'),
      attempts: [succeeded('gone')],
    })
    expect(batch.endedAt).toBeGreaterThanOrEqual(30 * second)
  })

  it('and the service does not know for a moment has its files fetched', async () => {
    const batch = await runBatch([{}], {
      earlier: () => succeeded('done'),
      prepare: (service, clock) => {
        service.has('done', { takes: 0 })
        service.trouble = () => (clock.elapsed < 10 * second ? httpError(404) : undefined)
      },
    })

    expect(batch.records[0]?.conclusion).toBe('success')
    expect(batch.records[0]?.cause).toBeUndefined()
  })

  it('and the service does not know until the time is over, for less than 30 s, lets the step fail', async () => {
    const batch = await runBatch([{}], {
      timeout: 20 * second,
      earlier: () => succeeded('gone'),
    })

    expect(batch.records[0]).toMatchObject({ conclusion: 'success', failsStep: true })
    expect(batch.records[0]?.cause).toContain('the service answered 404')
    expect(batch.endedAt).toBe(20 * second)
  })

  it('and whose result cannot be fetched any more stays one, and lets the step fail', async () => {
    const batch = await runBatch([{}], {
      earlier: () => succeeded('done'),
      prepare: (service) => service.has('done', { takes: 0, files: true }),
    })

    expect(batch.records[0]).toMatchObject({
      conclusion: 'success',
      failsStep: true,
      cause: 'the result could not be fetched: nothing is kept',
    })
  })

  it('and whose files cannot be had for now stays one, and lets the step fail', async () => {
    const batch = await runBatch([{}], {
      earlier: () => succeeded('done'),
      prepare: (service) => service.has('done', { takes: 0, checks: { status: 502 } }),
    })

    expect(batch.records[0]).toMatchObject({ conclusion: 'success', failsStep: true })
    expect(batch.records[0]?.cause).toContain('the service answered 502')
    expect(batch.endedAt).toBeLessThan(2 * minute)
  })

  it('and the service does not know lets others be fetched meanwhile', async () => {
    const seeds = Array.from({ length: 20 }, () => ({}))
    const batch = await runBatch(seeds, {
      earlier: ({ index }) => succeeded(index === 19 ? 'done' : 'gone'),
      prepare: (service) => service.has('done', { takes: 0 }),
    })

    expect(batch.told).toContainEqual(expect.stringMatching(/^\d{4} run 20 ended: success$/))
    expect(batch.counts.succeeded).toBe(20)
  })
})
