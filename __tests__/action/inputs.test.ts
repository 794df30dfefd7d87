import { expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { theError } from './support/facts.ts'
import { runAction } from './support/run-action.ts'

// `transcript/unfinished` shows the log and the annotation of all problems at once.
it.each<['wait' | 'batch' | undefined, string]>([
  [undefined, 'not-started'],
  ['wait', 'unknown'],
  ['batch', 'failure'],
])(
  'wrong inputs of %s: the conclusion is %s, and there is no summary',
  async (action, conclusion) => {
    await using sandbox = await openSandbox()
    const inputs = { timeout: '10x' }
    await using step = await runAction({ sandbox, inputs, ...(action && { action }) })

    expect([step.exitCode, sandbox.requests]).toEqual([1, []])
    const { cause, ...outputs } = step.outputs
    expect(outputs).toEqual({ conclusion })
    if (action !== 'batch') expect(cause).toBe(theError(step).message.split('\n')[0])
    expect(step.summary).toBe('')
  },
)
