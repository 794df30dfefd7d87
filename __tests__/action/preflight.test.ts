/** Tests that a step sends no request if it cannot write its files, or its proxy is not usable. */
import { chmod, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { runStep } from '../../sandbox/runner/runner.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { makeActionAround } from './support/action-around.ts'
import { annotationsOf, theError } from './support/facts.ts'
import { connectionOf, runAction, type Inputs, type Scenario } from './support/run-action.ts'
import { openWorkflowRun } from './support/workflow-run.ts'

type ActionName = 'run' | NonNullable<Scenario['action']>

const inputsOf: Record<ActionName, Inputs> = {
  run: {},
  start: {},
  wait: { 'execution-id': 'e-1' },
  batch: { seeds: '[{}]' },
  'create-project': { region: 'eu-west-1', 'docker-version': '3.12', name: 'reports' },
}
const names = Object.keys(inputsOf) as ActionName[]
const title = 'This step cannot write its files'

function scenarioOf(name: ActionName): Omit<Scenario, 'sandbox'> {
  return { inputs: inputsOf[name], ...(name !== 'run' && { action: name }) }
}

const itAsRoot = process.getuid?.() === 0 ? it : it.skip

/** Runs the bundle as a user who owns no files. */
const asNobody = (bundle: string) => `
  process.argv[1] = ${bundle}
  process.setegid(65_534)
  process.seteuid(65_534)
  await import(${bundle})`

describe('a step whose file for outputs cannot be opened sends nothing:', () => {
  it.each(names)('%s', async (name) => {
    await using sandbox = await openSandbox()
    const file = '/nowhere/set_output_1'
    const env = { GITHUB_OUTPUT: file }
    await using step = await runAction({ sandbox, ...scenarioOf(name), env })
    expect([step.exitCode, sandbox.requests]).toEqual([1, []])
    const error = theError(step)
    expect(error.title).toBe(title)
    expect(error.message).toContain(`(GITHUB_OUTPUT) ${file}: no such file or directory (ENOENT)`)
    expect(error.message).toContain(`Next: Let this step write`)
    expect(step.annotations).toHaveLength(1)
  })

  itAsRoot('a container whose user does not own it gets the cure', async () => {
    await using sandbox = await openSandbox()
    await using folder = await makeTemporaryFolder()
    const file = path.join(folder.path, 'set_output_1')
    await writeFile(file, '', { mode: 0o600 })
    await chmod(folder.path, 0o755)
    await using action = await makeActionAround('.', asNobody)
    const inputs = { ...connectionOf({ sandbox }), project: 'demo', automation: 'text-note' }
    const env = { GITHUB_OUTPUT: file }
    await using step = await runStep({ action: action.path, inputs, env })
    expect([step.exitCode, sandbox.requests]).toEqual([1, []])
    const { message } = theError(step)
    expect(message).toContain(`${file}: permission denied (EACCES). No request was sent.`)
    expect(message).toContain('In a job with container:, set its options: --user 0, the owner.')
    expect(step.annotations).toHaveLength(1)
  })

  it('a folder in place of the file is no file', async () => {
    await using sandbox = await openSandbox()
    await using folder = await makeTemporaryFolder()
    const env = { GITHUB_OUTPUT: folder.path }
    await using step = await runAction({ sandbox, env })
    expect([step.exitCode, sandbox.requests]).toEqual([1, []])
    expect(theError(step).message).toContain('EISDIR')
  })
})

it('a runner that names no file for outputs is no problem', async () => {
  await using sandbox = await openSandbox()
  await using step = await runAction({ sandbox, env: { GITHUB_OUTPUT: '' } })
  expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
})

describe('a step whose folder cannot be made sends nothing, also not to the cache:', () => {
  it.each<[ActionName, conclusion: string]>([
    ['run', 'not-started'],
    ['wait', 'unknown'],
    ['batch', 'failure'],
  ])('%s ends with the conclusion %s', async (name, conclusion) => {
    await using run = await openWorkflowRun()
    await using temp = await makeTemporaryFolder()
    const file = path.join(temp.path, 'no-folder')
    await writeFile(file, '')
    const env = { RUNNER_TEMP: file }
    await using step = await run.attempt(2, { ...scenarioOf(name), env })
    expect([step.exitCode, run.sandbox.requests, run.cache.requests]).toEqual([1, [], []])
    expect(theError(step)).toMatchObject({
      title,
      message: expect.stringContaining(`(RUNNER_TEMP) ${file}: file already exists (EEXIST)`),
    })
    expect(annotationsOf(step, 'warning')).toEqual([])
    expect(step.outputs).toMatchObject({
      conclusion,
      cause: expect.stringContaining('RUNNER_TEMP'),
    })
  })
})

describe('a step whose https_proxy names no proxy sends nothing, and shows no password:', () => {
  it.each(names)('%s', async (name) => {
    await using sandbox = await openSandbox()
    const env = { https_proxy: 'http://me:pa55#word@proxy.test:3128' }
    await using step = await runAction({ sandbox, ...scenarioOf(name), env })
    expect([step.exitCode, sandbox.requests]).toEqual([1, []])
    expect(theError(step).title).toBe('The proxy of this runner is not usable')
    expect(theError(step).message).toMatch(/^Nothing was sent, because .*https_proxy/)
    expect(step.stdout + step.stderr).not.toContain('pa55')
  })
})

it('a step that does not check certificates has one warning', async () => {
  await using sandbox = await openSandbox()
  await using step = await runAction({ sandbox, env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } })
  expect(step.exitCode).toBe(0)
  const [warning, ...others] = annotationsOf(step, 'warning')
  expect(warning?.message).toContain('Certificates are not checked')
  expect(others).toEqual([])
})
