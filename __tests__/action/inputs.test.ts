import { expect, it } from '@jest/globals'
import { readActionFile } from '../../scripts/docs/action-files.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { defaults } from '../../src/runner/inputs/inputs.ts'
import { theError } from './support/facts.ts'
import { finishRun } from './support/finished-run.ts'
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
    expect(outputs).toEqual({ conclusion, ...(action === 'wait' && { finished: 'false' }) })
    if (action !== 'batch') expect(cause).toBe(theError(step).message.split('\n')[0])
    expect(step.summary).toBe('')
  },
)

// A composite action, a reusable workflow and an unset variable pass an empty text.
it.each(['run', 'start', 'wait', 'batch', 'create-project'] as const)(
  'empty inputs of %s are their defaults',
  async (name) => {
    await using sandbox = await openSandbox()
    const subjects = {
      run: {},
      start: {},
      wait: { 'execution-id': await finishRun(sandbox) },
      batch: { seeds: '[{}]' },
      'create-project': { region: 'eu-west-1', 'docker-version': '3.12', name: 'reports' },
    }
    const { inputs: declared } = await readActionFile(name)
    const withDefaults = Object.keys(defaults).filter((input) => input in declared)
    // The default of poll-interval would take 5 s.
    const emptied = withDefaults.filter((input) => input !== 'poll-interval')
    const empty = Object.fromEntries(emptied.map((input) => [input, ' ']))
    const inputs = { ...subjects[name], ...empty }
    const action = name === 'run' ? {} : { action: name }
    await using step = await runAction({ sandbox, inputs, ...action })

    expect([step.exitCode, step.annotations]).toEqual([0, []])
  },
)

it('a failed run fails the step if fail-on is empty', async () => {
  await using sandbox = await openSandbox()
  const inputs = { 'fail-on': '' }
  await using step = await runAction({ sandbox, automation: 'broken-report', inputs })

  expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'error'])
  expect(theError(step).title).toContain('failed')
})
