import { expect, it } from '@jest/globals'
import { describeSteps, runStep } from './harness/workflow.ts'

describeSteps('there is no second try', () => {
  it.each([
    ['nothing failed', { 'failed.jsonl': '' }],
    ['the first try ended before it had a file, such as with a wrong input', {}],
  ])('if %s', async (_, files) => {
    const env = { FILE: Object.keys(files).join() }
    const step = await runStep('batch-failed-again.yml', 'List what failed', { files, env })
    expect([step.exitCode, step.outputs]).toEqual([0, {}])
  })
})
