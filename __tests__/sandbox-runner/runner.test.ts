import { existsSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { runStep, startStep, type StepOptions } from '../../sandbox/runner/runner.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { makeAction, toolkit } from './fixture-action.ts'

const quiet = { inputs: {}, artifactService: 'none' } as const

async function run(program: string, options: Partial<StepOptions> = {}, inputs = '') {
  await using action = await makeAction(program, inputs)
  return await runStep({ ...quiet, action: action.folder, ...options })
}

describe('what a step gets', () => {
  const printEnvironment = 'console.log(JSON.stringify(process.env))'

  it('inputs: declared defaults as text, given values over them, names in capitals', async () => {
    const declared = '  base-url:\n    required: true\n  summary:\n    default: true\n  a name:\n'
    const inputs = { 'Base-URL': 'https://example.com' }
    await using step = await run(printEnvironment, { inputs }, declared)
    expect(JSON.parse(step.stdout)).toMatchObject({
      'INPUT_BASE-URL': 'https://example.com',
      INPUT_SUMMARY: 'true',
      INPUT_A_NAME: '',
    })
  })

  it('a warning for an input that the action does not have', async () => {
    await using step = await run('', { inputs: { tiemout: '5s' } }, '  timeout:\n')
    expect(step.annotations).toEqual([
      { level: 'warning', message: "Unexpected input(s) 'tiemout', valid inputs are ['timeout']" },
    ])
  })

  it('a clean environment: nothing of ours, what the runner promises, and what was added', async () => {
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

  it('the workspace as its working folder, and folders that go with the result', async () => {
    const step = await run('console.log(process.cwd())')
    expect(step.stdout.trim()).toBe(step.workspace)
    await step[Symbol.asyncDispose]()
    expect([existsSync(step.workspace), existsSync(step.temp)]).toEqual([false, false])
  })

  it('the temp folder of its job, which stays for the next step with what is in it', async () => {
    await using job = await makeTemporaryFolder()
    const count = `
      import { appendFileSync, readFileSync } from 'node:fs'
      const file = process.env.RUNNER_TEMP + '/count'
      appendFileSync(file, 'x')
      console.log(readFileSync(file, 'utf8'))`
    await using first = await run(count, { temp: job.path })
    await using second = await run(count, { temp: job.path })
    expect([first.stdout, second.stdout]).toEqual(['x\n', 'xx\n'])
    expect([first.temp, second.temp]).toEqual([job.path, job.path])
  })
})

describe('what a step leaves', () => {
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

  it('outputs with a masked value, named as those that other jobs do not get', async () => {
    await using step = await run(`
      import * as core from ${JSON.stringify(toolkit.core)}
      core.setSecret('hunter2')
      core.setOutput('plain', 'text')
      core.setOutput('secret', 'is hunter2')`)
    expect(step.droppedOutputs).toEqual(['secret'])
  })

  it('an error instead of outputs when their file is broken', async () => {
    await using step = await run(`
      import { appendFileSync } from 'node:fs'
      appendFileSync(process.env.GITHUB_OUTPUT, 'no pair\\n')`)
    expect(step.outputs).toEqual({})
    expect(step.log).toContain("Unable to process file command 'output' successfully.")
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

  it('commands on both streams, and the streams as they were printed', async () => {
    await using step = await run(`console.log('::warning::a'); console.error('::error::b')`)
    expect(step.annotations.map(({ message }) => message).sort()).toEqual(['a', 'b'])
    expect([step.stdout, step.stderr]).toEqual(['::warning::a\n', '::error::b\n'])
  })

  it('the exit code of a program that is killed', async () => {
    await using step = await run('await new Promise(() => {})')
    expect(step.exitCode).toBe(13)
  })
})

describe('a step under way', () => {
  const waitForSignal = `
    process.on('SIGINT', () => { console.log('got SIGINT'); process.exit(7) })
    setInterval(() => {}, 1000)
    console.log('ready')`

  it('gets the signals sent to it', async () => {
    await using action = await makeAction(waitForSignal)
    await using running = startStep({ ...quiet, action: action.folder })
    await running.waitForLine(/ready/)
    running.signal('SIGINT')
    const step = await running.result
    // Windows knows no signals: there the process is ended.
    if (process.platform === 'win32') expect(step.signal).toBe('SIGINT')
    else expect([step.exitCode, step.stdout]).toEqual([7, 'ready\ngot SIGINT\n'])
  })

  it('shows its lines as they come, masked', async () => {
    const shown: string[] = []
    const program = `console.log('::add-mask::abc'); console.log('abc')`
    await using step = await run(program, { onLine: (line) => shown.push(line) })
    expect(shown).toEqual(['***'])
    expect(step.log).toBe('***\n')
  })

  it('rejects the wait for a line that never came', async () => {
    await using action = await makeAction(`console.log('something else')`)
    await using running = startStep({ ...quiet, action: action.folder })
    await expect(running.waitForLine(/ready/)).rejects.toThrow(/without \/ready\/:\nsomething else/)
  })
})

it('says when the inputs are larger than an environment can be', async () => {
  const inputs = { seed: 'x'.repeat(4 * 1024 * 1024) }
  await expect(run('', { inputs }, '  seed:\n')).rejects.toThrow('The step could not be started')
})
