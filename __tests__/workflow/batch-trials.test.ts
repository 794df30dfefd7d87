/** The checks of what the examples for many seeds have brought about; act runs the examples. */
import { describe, expect, it } from '@jest/globals'
import { checkReport, checkSeeds } from '../../scripts/test-workflows/batch-trials.ts'

describe('the check of what a batch has started', () => {
  const [one, two] = [{ city: 'Oslo' }, { city: 'a "title"' }]
  const run = (seed: object) => ({ seedText: JSON.stringify(seed) })

  it('passes each seed as often as the list has it, in any order', () => {
    expect(checkSeeds([run(two), run(one), run(two)], [one, two, two]).problems).toEqual([])
  })

  it.each([
    ['a seed too few', [run(one)]],
    ['one too many', [run(one), run(two), run(two)]],
    ['another text', [run(one), run({ city: 'a title' })]],
    ['a run without a seed', [run(one), { seedText: undefined }]],
  ])('finds %s', (_, executions) => {
    expect(checkSeeds(executions, [one, two]).problems).toEqual([
      expect.stringMatching(/^the seeds of all runs: .*; expected: {"city":"Oslo"}, {"city":"a /),
    ])
  })
})

describe('the check of the report that a reporter was given', () => {
  const report = (...names: string[]) => {
    const cases = names.map((name) => `<testcase name="${name}"/>`).join('')
    const content = `<testsuites><testsuite name="a">${cases}</testsuite></testsuites>`
    return { kind: 'uses' as const, runId: '1', inputs: {}, content }
  }
  const names = ['Run 1 (Oslo)', 'Run 2 (Lyon)', 'Run 3 (Turin)']

  it('passes one with a test case for each seed', async () => {
    expect((await checkReport([report(...names)])).problems).toEqual([])
  })

  it.each([
    ['one without test cases', [report()]],
    ['one in another order', [report(...names.toReversed())]],
    ['that there is none', []],
  ])('finds %s', async (_, calls) => {
    expect((await checkReport(calls)).problems).toEqual([expect.stringContaining('; expected:')])
  })
})
