import { describe, expect, it } from '@jest/globals'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { requestsOf, theError } from './support/facts.ts'
import { finishRun } from './support/finished-run.ts'
import { runAction } from './support/run-action.ts'

async function start(sandbox: Sandbox, automation: string, seed?: unknown): Promise<string> {
  await using step = await runAction({ sandbox, action: 'start', automation, seed })
  return step.outputs['execution-id'] ?? ''
}

function waitFor(sandbox: Sandbox, id: string, inputs: Record<string, string> = {}) {
  return runAction({ sandbox, action: 'wait', inputs: { 'execution-id': id, ...inputs } })
}

describe('wait', () => {
  it('publishes the files of a run that another step started', async () => {
    await using sandbox = await openSandbox()
    const id = await start(sandbox, 'text-note', { text: 'by another step' })
    await using step = await waitFor(sandbox, id, { 'upload-artifact': 'true' })
    expect([step.exitCode, step.annotations]).toEqual([0, []])
    expect(step.outputs).toMatchObject({
      'execution-id': id,
      conclusion: 'success',
      result: 'by another step',
      'artifact-name': `automation-${id}`,
    })
    expect(requestsOf(sandbox, 'start')).toHaveLength(1)
    expect(requestsOf(sandbox, 'status')[0]?.headers['user-agent']).toMatch(/ \(wait\)$/)
    const record = step.artifacts[0]?.files['execution.json']?.toString() ?? ''
    expect(JSON.parse(record)).toMatchObject({ execution_id: id, conclusion: 'success' })
  })

  it('fails when the run failed, with its cause', async () => {
    await using sandbox = await openSandbox()
    const id = await start(sandbox, 'broken-report')
    await using step = await waitFor(sandbox, id)
    expect(step.exitCode).toBe(1)
    expect(step.outputs).toMatchObject({ finished: 'true', conclusion: 'error' })
    expect(theError(step).title).toBe(`Execution ${id} failed`)
    expect(theError(step).message).toMatch(/^ValueError/)
  })
})

describe('timeout: 0s', () => {
  it('checks exactly once if the run is still running', async () => {
    await using sandbox = await openSandbox()
    const id = await start(sandbox, 'slow-count', { seconds: 60 })
    await using step = await waitFor(sandbox, id, { timeout: '0s' })
    expect(step.exitCode).toBe(1)
    expect(step.outputs).toMatchObject({ finished: 'false', conclusion: 'timed-out' })
    expect(JSON.parse(step.outputs['status'] ?? '')).toMatchObject({ finished: false })
    expect(requestsOf(sandbox, 'status')).toHaveLength(1)
    expect(theError(step).message).toContain('at the only check')
  })

  it('checks exactly once, and publishes the files of a finished run', async () => {
    await using sandbox = await openSandbox()
    const id = await finishRun(sandbox)
    await using step = await waitFor(sandbox, id, { timeout: '0s' })
    expect(step.exitCode).toBe(0)
    expect(step.outputs['result']).toContain('All 12 feeds')
    expect(requestsOf(sandbox, 'status')).toHaveLength(1)
  })
})
