/** The workflows that docs/batch.md shows; that they do what they say, act proves. */
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { readActionFiles, root } from '../../scripts/docs/action-files.ts'
import { batchPage, readPageWorkflows, workflowsIn } from '../../scripts/docs/page-workflows.ts'
import {
  issues,
  checkReport,
  checkRuns,
  mergeWorkflows,
  runsOf,
} from '../../scripts/test-workflows/batch-page-trials.ts'
import { findProblems } from '../contract/language-service.ts'

const shown = await readPageWorkflows(batchPage)
const actions = await readActionFiles()

describe('the page about batches', () => {
  it('shows a workflow for each way to give a list, and to use what comes of it', () => {
    expect(shown.map(({ heading }) => heading)).toEqual([
      'A list in the workflow',
      'A file from an earlier step',
      'The failed ones again',
      'Shards over a matrix',
      'A JUnit report',
    ])
  })

  it.each(shown)(
    "holds nothing that GitHub's language service objects to: $heading",
    async (one) => {
      const file = path.join(root, '.github', 'workflows', 'pasted.yml')
      expect(await findProblems(file, actions, one.text)).toEqual([])
    },
  )
})

describe('the workflows of a page', () => {
  const page =
    '# A\n\n## B\n\n```yaml\njobs:\n  b: { steps: [] }\n```\n\n## C\n\n```yaml\nseed: 1\n```\n'

  it('are its YAML blocks that have jobs', () => {
    expect(workflowsIn(page)).toEqual([{ heading: 'B', text: 'jobs:\n  b: { steps: [] }\n' }])
  })

  it('become one, with the artifacts that each would have by itself', () => {
    const step = { uses: 'run-automation/run-automation/batch@v1' }
    const job = (id: string) => ({
      heading: id,
      text: `jobs: { ${id}: { steps: ${JSON.stringify([step])} } }`,
    })
    expect(parse(mergeWorkflows([job('a'), job('b')]))).toMatchObject({
      jobs: {
        a: { steps: [{ ...step, with: { 'artifact-name': 'a' } }] },
        b: { steps: [{ ...step, with: { 'artifact-name': 'b' } }] },
      },
    })
    expect(() => mergeWorkflows([job('a'), job('a')])).toThrow('Two jobs have the same name')
  })
})

describe('the check of what those workflows started', () => {
  const seeds = [
    ...issues,
    ...Object.entries(runsOf).flatMap(([city, count]) =>
      Array.from({ length: count }, () => ({ city })),
    ),
  ]
  const runs = seeds.map((seed) => ({ automation: 'any', seedText: JSON.stringify(seed) }))

  it('passes each seed as often as the page has it', () => {
    expect(checkRuns(runs).problems).toEqual([])
  })

  it.each([
    ['a seed too few', runs.slice(0, -1), 'the runs of each city: '],
    ['one too many', [...runs, ...runs.slice(-1)], 'the runs of each city: '],
    ['another title', runs.slice(1), 'the issues that were asked for: '],
  ])('finds %s', (_, other, problem) => {
    expect(checkRuns(other).problems).toEqual([expect.stringContaining(problem)])
  })

  it('finds a report that a reporter would read otherwise', async () => {
    const call = { kind: 'uses' as const, runId: '1', inputs: {}, content: '<testsuites/>' }
    expect((await checkReport([call])).problems).toEqual([expect.stringContaining('[], not')])
  })
})
