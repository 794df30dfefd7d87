import { describe, expect, it } from '@jest/globals'
import type { StepResult } from '../../sandbox/runner/runner.ts'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { makeAutomations } from './support/automations.ts'
import { annotationsOf, requestsOf } from './support/facts.ts'
import { finishRun } from './support/finished-run.ts'
import { runAction, type Scenario } from './support/run-action.ts'
import { placesWith, tracesOf } from './support/traces.ts'

const header = 'Bearer wh-secret-"quoted"/5d1c'
const inputs = {
  'upload-artifact': 'true',
  'print-log': 'always',
  webhook: 'https://user:wh-password-77@127.0.0.1:9/hook',
  'webhook-headers': `Authorization: ${header}\nX-Signature: wh-signature-0042`,
}
const env = { RUNNER_DEBUG: '1' }

/** Returns what must stay hidden: credentials, header values and requested signed links. */
function secretsOf({ apiToken, apiKey, ...sandbox }: Sandbox): string[] {
  const links = requestsOf({ ...sandbox }, 'link').map(({ path }) => path)
  const signatures = links.flatMap((link) => link.split(/[/?]/).filter((part) => part.length > 30))
  const headers = [header, header.replace('Bearer ', ''), 'wh-signature-0042', 'wh-password-77']
  return [apiToken, apiKey, ...headers, ...links, ...signatures]
}

async function leaksOf(step: StepResult, secrets: string[]): Promise<string[]> {
  const traces = await tracesOf(step)
  return secrets.flatMap((secret) =>
    placesWith(secret, traces).map((place) => `${secret} in ${place}`),
  )
}

function run(sandbox: Sandbox, scenario: Omit<Scenario, 'sandbox'> = {}) {
  return runAction({ sandbox, inputs, env, ...scenario })
}

describe('secrets are shown nowhere, not even in debug lines', () => {
  it('of a run that succeeds', async () => {
    await using sandbox = await openSandbox()
    await using step = await run(sandbox)
    const secrets = secretsOf(sandbox)
    expect([step.exitCode, step.artifacts.length]).toEqual([0, 1])
    expect(secrets.length).toBeGreaterThan(8)
    expect(step.debug.length).toBeGreaterThan(0)
    expect(await leaksOf(step, secrets)).toEqual([])
  })

  it('of a run that fails', async () => {
    await using sandbox = await openSandbox()
    await using step = await run(sandbox, { automation: 'broken-report' })
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'error'])
    expect(await leaksOf(step, secretsOf(sandbox))).toEqual([])
  })

  it.each(['start', 'status'] as const)(
    'when the %s route echoes them in its error',
    async (on) => {
      await using sandbox = await openSandbox()
      sandbox.faults.inject({ on, fault: 'echo-credentials', times: 'always' })
      await using step = await run(sandbox)
      expect(step.exitCode).toBe(1)
      expect(annotationsOf(step, 'error')[0]?.message).toContain('refused: Token *** with ***')
      expect(await leaksOf(step, secretsOf(sandbox))).toEqual([])
    },
  )

  it('when links fail in every way', async () => {
    await using sandbox = await openSandbox()
    for (const fault of ['expired', 'reset-before-answer', 'cut-after', 'half-chunked'] as const) {
      sandbox.faults.inject({ on: 'link', fault })
    }
    sandbox.faults.inject({ on: 'link', fault: 'status', status: 500, times: 'always' })
    const wait = { 'execution-id': await finishRun(sandbox), timeout: '2s' }
    await using step = await run(sandbox, { action: 'wait', inputs: wait })
    expect(step.exitCode).toBe(1)
    expect(secretsOf(sandbox).length).toBeGreaterThan(16)
    expect(await leaksOf(step, secretsOf(sandbox))).toEqual([])
  })

  it('when inputs are wrong', async () => {
    await using sandbox = await openSandbox()
    const wrong = { ...inputs, 'webhook-headers': 'wh-secret-line-without-colon', timeout: '10x' }
    await using step = await run(sandbox, { inputs: wrong })
    expect([step.exitCode, sandbox.requests]).toEqual([1, []])
    const secrets = [...secretsOf(sandbox), 'wh-secret-line-without-colon']
    expect(await leaksOf(step, secrets)).toEqual([])
  })

  it('when the automation prints and returns them: shown nowhere', async () => {
    const body = 'console.log(seed.text); return seed.text'
    await using automations = await makeAutomations({ printer: body })
    await using sandbox = await openSandbox({ automations: automations.folder })
    const seed = { text: `the key is ${sandbox.apiKey}` }
    await using step = await run(sandbox, { automation: 'printer', seed })
    expect(step.exitCode).toBe(0)
    expect(step.outputs).toMatchObject({ result: seed.text, log: 'the key is ***\n' })
    const places = placesWith(sandbox.apiKey, await tracesOf(step))
    // Files and the output `result` keep their bytes, even if the automation itself prints the key.
    const data = /result\.txt|run\.log|the outputs|set_output/
    expect(places.filter((place) => !data.test(place))).toEqual([])
  })
})

function masksOf(commands: StepResult['commands']): string[] {
  return commands.filter(({ command }) => command === 'add-mask').map(({ message }) => message)
}

it('masks are printed before all other lines', async () => {
  await using sandbox = await openSandbox()
  await using step = await run(sandbox)
  const lines = step.stdout.split('\n')
  const first = lines.findIndex((line) => !line.startsWith('::add-mask::'))
  expect(masksOf(step.commands.slice(0, first))).toEqual(
    expect.arrayContaining([sandbox.apiToken, sandbox.apiKey, header, 'wh-signature-0042']),
  )
})

it.each(['run', 'wait'])('the signatures of links are masked by %s', async (name) => {
  await using sandbox = await openSandbox()
  const wait = { action: 'wait', inputs: { 'execution-id': await finishRun(sandbox) } } as const
  await using step = await run(sandbox, name === 'wait' ? wait : {})
  const signatures = requestsOf(sandbox, 'link').map(({ path }) => path.split('?')[1])
  expect(signatures.length).toBeGreaterThan(1)
  expect(masksOf(step.commands)).toEqual(expect.arrayContaining(signatures))
})
