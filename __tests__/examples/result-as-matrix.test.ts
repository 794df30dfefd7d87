import { describe, expect, it } from '@jest/globals'
import { evaluateExpressions } from '../../sandbox/runner/expressions.ts'
import { readWorkflow } from './harness/workflow.ts'

/** Returns the value of the second job's `if` for a result, as GitHub's own library computes it. */
async function isStarted(rows: string): Promise<string> {
  const { jobs } = await readWorkflow('examples/result-as-matrix.yml')
  const ofGithub = (jobs['each']?.if ?? '').replaceAll('needs.list.outputs.rows', 'github.rows')
  return evaluateExpressions(`\${{ ${ofGithub} }}`, { github: { rows } })
}

describe('a job for each element of a result', () => {
  it.each(['[0,1,2]', '["","a"]', '[false,true]', '[null,{"a":1}]', '[[]]'])(
    'is started: %s',
    async (rows) => {
      expect(await isStarted(rows)).toBe('true')
    },
  )

  it.each(['[]', '[ ]', '\n[\n]\n'])('is not started if the list is empty: %j', async (rows) => {
    expect(await isStarted(rows)).toBe('false')
  })
})
