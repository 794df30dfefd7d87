import { describe, expect, it } from '@jest/globals'
import { runStep, type StepOptions } from '../../sandbox/runner/runner.ts'
import { makeAction, toolkit } from './fixture-action.ts'

const quiet = { inputs: {}, artifactService: 'none' } as const

async function run(program: string, options: Partial<StepOptions> = {}) {
  await using action = await makeAction(program)
  return await runStep({ ...quiet, action: action.path, ...options })
}

describe('what a step gets', () => {
  const printEnvironment = 'console.log(JSON.stringify(process.env))'

  it('a clean environment: the documented variables and those of the test, and none of ours', async () => {
    process.env['SANDBOX_RUNNER_STRAY'] = 'stray'
    await using step = await run(printEnvironment, { env: { RUNNER_DEBUG: '1' } })
    delete process.env['SANDBOX_RUNNER_STRAY']
    const environment = JSON.parse(step.stdout) as Record<string, string>
    expect(environment).not.toHaveProperty('SANDBOX_RUNNER_STRAY')
    expect(environment).not.toHaveProperty('ACTIONS_RUNTIME_TOKEN')
    expect(environment).toMatchObject({
      GITHUB_ACTIONS: 'true',
      GITHUB_REPOSITORY: 'owner/repo',
      GITHUB_WORKSPACE: step.workspace,
      RUNNER_TEMP: step.temp,
      RUNNER_DEBUG: '1',
    })
  })
})

describe('the result of a step has', () => {
  it('outputs, state and environment, as the toolkit writes them', async () => {
    await using step = await run(`
      import * as core from ${JSON.stringify(toolkit.core)}
      core.setOutput('text', 'one\\ntwo\\n')
      core.saveState('key', 'kept')
      core.exportVariable('COLOUR', 'green')`)
    expect(step.outputs).toEqual({ text: 'one\ntwo\n' })
    expect(step.state).toEqual({ key: 'kept' })
    expect(step.exportedEnv).toEqual({ COLOUR: 'green' })
    expect([step.exitCode, step.signal]).toEqual([0, null])
  })

  it.each([
    ['kept up to 1 MiB', 1024 * 1024, false],
    ['dropped whole above it', 1024 * 1024 + 1, true],
  ])('a summary, %s', async (_, bytes, dropped) => {
    await using step = await run(`
      import { writeFileSync } from 'node:fs'
      writeFileSync(process.env.GITHUB_STEP_SUMMARY, 'x'.repeat(${String(bytes)}))`)
    expect(step.summary).toHaveLength(dropped ? 0 : bytes)
    expect(step.annotations).toHaveLength(dropped ? 1 : 0)
  })
})

describe('a running step', () => {
  it('shows its lines at once, masked', async () => {
    const shown: string[] = []
    const program = `console.log('::add-mask::abc'); console.log('abc')`
    await using step = await run(program, { onLine: (line) => shown.push(line) })
    expect(shown).toEqual(['***'])
    expect(step.log).toBe('***\n')
  })
})
