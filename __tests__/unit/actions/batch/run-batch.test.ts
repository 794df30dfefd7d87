/** Tests how the step of a batch ends: verdict, outputs, messages and published files. */
import { describe, expect, it } from '@jest/globals'
import type { Course } from '../../../support/batch-service.ts'
import { runBatchStep } from '../../../support/batch-step.ts'

const success: Course = {}
const error: Course = { ends: 'error' }
const day = 86_400_000
const countsOf = ({ outputs }: { outputs: Record<string, string | undefined> }) => {
  const names = ['total', 'succeeded', 'failed', 'unknown', 'unfinished', 'not-started']
  return names.map((name) => Number(outputs[name]))
}
/** Returns the numbers of the seeds in a list of failed seeds. */
const seedsIn = (lines: string) => {
  const seeds = lines.split('\n').filter((line) => line !== '')
  return seeds.map((line) => (JSON.parse(line) as { number: number }).number)
}

describe('the verdict of a batch', () => {
  it('depends on fail-on; counts and conclusion do not', async () => {
    for (const [failOn, passes] of [
      ['error', false],
      ['stopped', true],
    ] as const) {
      const step = await runBatchStep([success, error], { inputs: { 'fail-on': failOn } })

      expect([step.passed, step.errors.length]).toEqual([passes, passes ? 0 : 1])
      expect([step.outputs['conclusion'], countsOf(step)]).toEqual(['failure', [2, 1, 1, 0, 0, 0]])
      expect(step.warnings.length).toBe(passes ? 1 : 0)
      expect(step.outputs['cause']).toMatch(/^Run 2 failed/)
    }
  })

  it('is a failure if checks or credentials were refused, whatever fail-on says', async () => {
    const refused = { status: 401 }
    for (const course of [{ checks: refused }, { starts: Array(20).fill(refused) }]) {
      const step = await runBatchStep([success, course], { inputs: { 'fail-on': 'none' } })

      expect([step.passed, step.errors.length]).toEqual([false, 1])
    }
  })

  it('passes if all runs succeed, and mentions no failure', async () => {
    const step = await runBatchStep([success, success])

    expect([step.passed, step.errors, step.failedSeeds]).toEqual([true, [], ''])
    expect(step.outputs).toMatchObject({ conclusion: 'success', resumed: 'false' })
    expect(step.outputs['duration-seconds']).toBe('120')
    expect(step.log).toContain('cities: all 2 runs succeeded after 2 min')
    expect(step.saved.at(-1)).toMatchObject({ isReported: true })
  })

  it('fails if an output cannot be written, though all runs succeeded, and counts none as reported', async () => {
    const step = await runBatchStep([success], { outputsTaken: 3 })

    expect([step.passed, step.errors.length]).toEqual([false, 1])
    expect(step.saved.at(-1)).toMatchObject({ isReported: false })
  })
})

describe('a batch that fails', () => {
  it('records a success whose result could not be fetched', async () => {
    const { passed, saved } = await runBatchStep([{ files: true }])

    expect(passed).toBe(false)
    const run = { attempt: 1, outcome: 'success', executionId: 'e1' }
    expect(saved.at(-1)).toMatchObject({ runs: [[expect.any(String), run]] })
  })

  it('outputs the seeds that failed or were not started, and none that may still be running', async () => {
    const courses = [error, success, { starts: ['lost' as const] }, { takes: day }, success]
    const step = await runBatchStep(courses)

    expect(countsOf(step)).toEqual([5, 1, 1, 1, 1, 1])
    expect(seedsIn(step.failedSeeds)).toEqual([1, 5])
  })
})

it('an output results above 120 KiB is empty, which the log says', async () => {
  const course = { starts: [{ status: 400 }], city: '€'.repeat(1_000) }
  const step = await runBatchStep(Array<Course>(100).fill(course), { inputs: { label: 'city' } })

  expect([step.outputs['results'], step.outputs['failed']]).toEqual(['', '100'])
  expect(step.log).toContain('The output results would be larger than 120 KiB, so it is empty')
})

describe('a batch that is cancelled', () => {
  it('fails, even if its runs have finished and fail-on allows their conclusions', async () => {
    const step = await runBatchStep([{ ...error, files: true }], {
      inputs: { 'fail-on': 'none' },
      cancelAfter: 61_000, // while files are fetched
    })

    expect([step.passed, step.errors.length]).toEqual([false, 1])
    expect(countsOf(step)).toEqual([1, 0, 1, 0, 0, 0])
    expect(step.outputs['conclusion']).toBe('failure')
  })

  it('counts no cancelled run among those that fail-on allows', async () => {
    const step = await runBatchStep([{ takes: day }], {
      inputs: { 'fail-on': 'none' },
      cancelAfter: 90_000,
    })

    expect(step.errors[0]).toContain('this step was cancelled (1 unfinished)')
  })
})

describe('a result that was not validated', () => {
  const unchecked = { notValidated: 'this took too long' }
  const [kept, second, minute] = [{ files: true }, 1_000, 60_000]

  it('makes the outcome of the run unknown, so that a re-run checks the result again', async () => {
    const step = await runBatchStep([kept, kept], {
      inputs: { 'fail-on': 'none' },
      schema: () => ({
        unknownFormats: [],
        validate: () => Promise.resolve(unchecked),
        [Symbol.dispose]: () => undefined,
      }),
    })

    expect(step.passed).toBe(false)
    expect([countsOf(step), step.failedSeeds]).toEqual([[2, 0, 0, 2, 0, 0], ''])
    expect(step.errors[0]).toContain(
      'Run 1 has an unknown outcome: the run ended well, but its result was not validated: this took too long',
    )
    expect(step.saved.at(-1)).toMatchObject({
      isReported: false,
      runs: [
        [expect.any(String), { kind: 'known', outcome: 'success' }],
        [expect.any(String), { kind: 'known', outcome: 'success' }],
      ],
    })
  })

  it('is given up 60 s after the deadline of the batch', async () => {
    const givenUpAt: number[] = []
    await runBatchStep([{ ...kept, takes: 50 * second }], {
      inputs: { timeout: '2m' },
      schema: (clock) => ({
        unknownFormats: [],
        validate: async (_, __, until) => {
          await clock.sleep(60 * minute, until).catch(() => givenUpAt.push(clock.elapsed))
          return unchecked
        },
        [Symbol.dispose]: () => undefined,
      }),
    })

    expect(givenUpAt).toEqual([3 * minute])
  })
})
