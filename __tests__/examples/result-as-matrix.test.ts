import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { z } from 'zod'
import { evaluateExpressions } from '../../sandbox/runner/expressions.ts'
import { root } from '../../scripts/docs/action-files.ts'

const workflowSchema = z.object({ jobs: z.object({ each: z.object({ if: z.string() }) }) })

/** Returns the value of the second job's `if` for a result, as GitHub's own library computes it. */
async function isStarted(rows: string): Promise<string> {
  const text = await readFile(path.join(root, 'examples', 'result-as-matrix.yml'), 'utf8')
  const condition = workflowSchema.parse(parse(text)).jobs.each.if
  const ofGithub = condition.replaceAll('needs.list.outputs.rows', 'github.rows')
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
