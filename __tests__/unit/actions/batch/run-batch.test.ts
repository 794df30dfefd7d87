/** What a batch's step comes to: its verdict, its outputs, what it tells and what it hands on. */
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
/** The numbers of the seeds that are worth another try. */
const seedsIn = (lines: string) => {
  const seeds = lines.split('\n').filter((line) => line !== '')
  return seeds.map((line) => (JSON.parse(line) as { number: number }).number)
}

describe('the verdict of a batch', () => {
  it.each<[string, Course, number[]]>([
    ['error', error, [2, 1, 1, 0, 0, 0]],
    ['container-error', { ends: 'container-error' }, [2, 1, 1, 0, 0, 0]],
    ['stopped', { ends: 'stopped' }, [2, 1, 1, 0, 0, 0]],
    ['timed-out', { takes: day }, [2, 1, 0, 0, 1, 0]],
  ])(
    'fails for %s where fail-on names it; counts and conclusion know nothing of it',
    async (...row) => {
      const [word, course, counts] = row
      const fails = await runBatchStep([success, course], { inputs: { 'fail-on': word } })
      const others = ['error', 'container-error', 'stopped', 'timed-out'].filter(
        (it) => it !== word,
      )
      const passes = await runBatchStep([success, course], { inputs: { 'fail-on': others.join() } })

      const conclusion = word === 'timed-out' ? 'timed-out' : 'failure'
      for (const step of [fails, passes]) {
        expect([step.outputs['conclusion'], countsOf(step)]).toEqual([conclusion, counts])
      }
      expect([fails.passed, fails.errors.length]).toEqual([false, 1])
      expect([passes.passed, passes.errors.length]).toEqual([true, 0])
    },
  )

  it.each<[string, Course, number[]]>([
    ['an unclear start', { starts: ['lost'] }, [2, 1, 0, 1, 0, 0]],
    ['a start that was refused', { starts: [{ status: 400 }] }, [2, 1, 1, 0, 0, 0]],
    ['checks that were refused', { checks: { status: 401 } }, [2, 1, 0, 1, 0, 0]],
    ['refused credentials', { starts: [{ status: 401 }] }, [2, 1, 0, 0, 0, 1]],
    [
      'a seed that cannot be sent',
      { starts: Array<'unreached'>(20).fill('unreached') },
      [2, 1, 0, 0, 0, 1],
    ],
  ])('fails for %s, whatever fail-on says', async (_, course, counts) => {
    const step = await runBatchStep([success, course], { inputs: { 'fail-on': '' } })

    expect([step.passed, step.errors.length, countsOf(step)]).toEqual([false, 1, counts])
  })

  it('passes where all succeed, without a word of failure', async () => {
    const step = await runBatchStep([success, success])

    expect([step.passed, step.errors, step.failedSeeds]).toEqual([true, [], ''])
    expect(step.outputs).toMatchObject({ conclusion: 'success', resumed: 'false' })
    expect(step.outputs['duration-seconds']).toBe('120')
    expect(step.log).toContain('cities: all 2 runs succeeded after 2 min')
    expect(step.saved.at(-1)).toMatchObject({ isReported: true })
  })

  it('fails where an output finds no room, though all succeeded: none counts as reported', async () => {
    const step = await runBatchStep([success], { outputsTaken: 3 })

    expect([step.passed, step.errors.length]).toEqual([false, 1])
    expect(step.saved.at(-1)).toMatchObject({ isReported: false })
  })
})

describe('a batch that fails', () => {
  it('keeps on record that there was a result which it could not fetch', async () => {
    const { passed, saved } = await runBatchStep([{ files: true }])

    expect(passed).toBe(false)
    const run = { attempt: 1, conclusion: 'success', executionId: 'e1', leftResult: true }
    expect(saved.at(-1)).toMatchObject({ runs: [[expect.any(String), run]] })
  })

  it('hands on the seeds that failed or were not started, and none that may still run', async () => {
    const courses = [error, success, { starts: ['lost' as const] }, { takes: day }, success]
    const step = await runBatchStep(courses)

    expect(countsOf(step)).toEqual([5, 1, 1, 1, 1, 1])
    expect(seedsIn(step.failedSeeds)).toEqual([1, 5])
  })

  it('has a summary with the same title, and what failed first', async () => {
    const { summary } = await runBatchStep([success, error])
    const numbers = [...summary.matchAll(/<tr><td[^>]*>(\d+)/g)].map(([, number]) => number)

    expect(summary).toContain('cities: 1 of 2 runs failed')
    expect(numbers).toEqual(['2', '1'])
  })

  it('tells each run in the results, in the order of the seeds', async () => {
    const step = await runBatchStep([{ takes: 9_000, ...error }, success], {
      inputs: { 'max-parallel': '2', label: 'number' },
    })

    expect(JSON.parse(step.outputs['results'] ?? '')).toMatchObject([
      { index: 0, label: '1', conclusion: 'error', execution_id: 'e1', attempts: 1 },
      { index: 1, label: '2', conclusion: 'success', execution_id: 'e2', attempts: 1 },
    ])
  })
})

it('an output results above 256 KiB is empty, which the log says', async () => {
  const course = { starts: [{ status: 400 }], city: '€'.repeat(1_000) }
  const step = await runBatchStep(Array<Course>(100).fill(course), { inputs: { label: 'city' } })

  expect([step.outputs['results'], step.outputs['failed']]).toEqual(['', '100'])
  expect(step.log).toContain('The output results is over 256 KiB, and so is empty')
})

it('a label that no seed has, which is easy to misspell, is told once, as it was given', async () => {
  const step = await runBatchStep([success, success], { inputs: { label: '/city/nmae' } })

  expect(step.passed).toBe(true)
  expect(step.notices).toEqual([
    expect.stringMatching(/^label: no seed has "\/city\/nmae" as a text or number, so the runs/),
  ])
})

describe('a batch that is cancelled', () => {
  it('fails, though its runs are over and fail-on allows what they came to', async () => {
    const step = await runBatchStep([{ ...error, files: true }], {
      inputs: { 'fail-on': '' },
      cancelAfter: 61_000, // while files are fetched
    })

    expect([step.passed, step.errors.length]).toEqual([false, 1])
    expect(countsOf(step)).toEqual([1, 0, 1, 0, 0, 0])
    expect(step.outputs['conclusion']).toBe('cancelled')
  })

  it('counts no cancelled run among those that fail-on allows', async () => {
    const step = await runBatchStep([{ takes: day }], {
      inputs: { 'fail-on': '' },
      cancelAfter: 90_000,
    })

    expect(step.errors[0]).toContain('Of 1: 1 unfinished; the step was cancelled.')
  })
})
