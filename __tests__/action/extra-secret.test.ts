/** A secret input that no code knows of: it stands in `action.yml` and in its schema, no more. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { compileCache } from '../../sandbox/compile-cache.ts'
import { runStep, type StepResult } from '../../sandbox/runner/runner.ts'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { makeAutomations } from './support/automations.ts'
import { makeActionWithInput, type ChangedAction } from './support/extra-input.ts'
import { annotationsOf } from './support/facts.ts'
import { placesWith, tracesOf } from './support/traces.ts'

const secret = 'extra-"secret"/4f81'
const flags = { finished: true, error: false, stopped: false, container_error: false }

let action: ChangedAction
beforeAll(async () => {
  action = await makeActionWithInput('extra-token')
})
afterAll(async () => {
  await action[Symbol.asyncDispose]()
})

function run({ baseUrl, apiToken, apiKey }: Sandbox, inputs: Record<string, string> = {}) {
  return runStep({
    action: action.folder,
    inputs: {
      'base-url': baseUrl,
      'api-token': apiToken,
      'api-key': apiKey,
      project: 'demo',
      automation: 'text-note',
      'extra-token': secret,
      'poll-interval': '100ms',
      timeout: '20s',
      'print-log': 'always',
      ...inputs,
    },
    env: { ...compileCache, RUNNER_DEBUG: '1' },
  })
}

// Outputs and the files of a run are data, and keep their bytes.
const data = /result\.txt|run\.log|the outputs|set_output/

/** Where people can see it, beside the data. */
async function leaksOf(step: StepResult): Promise<string[]> {
  const places = placesWith(secret, await tracesOf(step))
  return places.filter((place) => !data.test(place))
}

/** What the runner was told to mask before it was told anything else. */
function masksOf({ stdout, commands }: StepResult): string[] {
  const first = stdout.split('\n').findIndex((line) => !line.startsWith('::add-mask::'))
  return commands.slice(0, first).map(({ message }) => message)
}

describe('a new secret input is masked, and seen nowhere', () => {
  it('when the automation prints and returns it', async () => {
    await using automations = await makeAutomations({
      tell: 'console.log(seed.text); return seed.text',
    })
    await using sandbox = await openSandbox({ automations: automations.folder })
    const seed = JSON.stringify({ text: `it is ${secret}` })
    await using step = await run(sandbox, { automation: 'tell', seed })
    expect([step.exitCode, step.artifacts.length]).toEqual([0, 1])
    expect(masksOf(step)).toContain(secret)
    expect(step.outputs['log']).toBe('it is ***\n')
    expect(step.summary).toContain('it is ***')
    expect(await leaksOf(step)).toEqual([])
  })

  it('when the service puts it into its message and into the status record', async () => {
    await using sandbox = await openSandbox()
    const always = { fault: 'status', times: 'always' } as const
    const started = JSON.stringify({ message: `by ${secret}`, execution_id: 'id-1' })
    sandbox.faults.inject({ on: 'start', ...always, status: 202, body: started })
    const record = JSON.stringify({ ...flags, note: `of ${secret}` })
    sandbox.faults.inject({ on: 'status', ...always, status: 200, body: record })
    await using step = await run(sandbox)
    expect(step.exitCode).toBe(0)
    expect(step.log).toContain('("by ***")')
    expect(step.artifacts[0]?.files['execution.json']?.toString()).toContain('"note": "of ***"')
    expect(await leaksOf(step)).toEqual([])
  })

  it('and warned of where it is too short', async () => {
    await using sandbox = await openSandbox()
    await using step = await run(sandbox, { 'extra-token': 'abcde' })
    expect(masksOf(step)).toContain('abcde')
    expect(annotationsOf(step, 'warning')[0]?.message).toMatch(/^extra-token: fewer than 6/)
  })
})
