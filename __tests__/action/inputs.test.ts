import { readFile } from 'node:fs/promises'
import { expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { theError } from './support/facts.ts'
import { runAction } from './support/run-action.ts'

// `transcript/unfinished` shows the log, the annotation and the summary of all problems at once.
it.each<['wait' | 'batch' | undefined, string, string, boolean]>([
  [undefined, 'not-started', 'perhaps', true],
  ['wait', 'unknown', 'true', true],
  ['batch', 'failure', 'maybe', true],
  ['batch', 'failure', 'False', false],
])('wrong inputs of %s: the conclusion is %s, with summary %s', async (action, ...given) => {
  const [conclusion, summary, shown] = given
  await using sandbox = await openSandbox()
  const inputs = { timeout: '10x', summary }
  await using step = await runAction({ sandbox, inputs, ...(action && { action }) })

  expect([step.exitCode, sandbox.requests]).toEqual([1, []])
  const { cause, 'summary-file': file = '', ...outputs } = step.outputs
  expect(outputs['conclusion']).toBe(conclusion)
  if (action !== 'batch') expect(cause).toBe(theError(step).message.split('\n')[0])
  expect(step.summary.includes('<li>timeout: ')).toBe(shown)
  expect(await readFile(file, 'utf8')).toContain(step.summary)
})
