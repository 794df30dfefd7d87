/** Tests the output `finished` of wait. `commit-status-trouble` tests it after a cancellation. */
import { describe, expect, it } from '@jest/globals'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { runAction } from './support/run-action.ts'

async function start(sandbox: Sandbox, automation: string, seed?: unknown): Promise<string> {
  await using step = await runAction({ sandbox, action: 'start', automation, seed })
  return step.outputs['execution-id'] ?? ''
}

const lookAt = (id: string) => ({ 'execution-id': id, timeout: '0s' })

describe('the output finished', () => {
  it('is true after the end of a run', async () => {
    await using sandbox = await openSandbox()
    const id = await start(sandbox, 'broken-report')
    await sandbox.executions[0]?.ended
    await using step = await runAction({ sandbox, action: 'wait', inputs: lookAt(id) })
    expect(step.outputs).toMatchObject({ finished: 'true', conclusion: 'error' })
  })

  it('is false for a run that is still running, whatever fail-on says', async () => {
    await using sandbox = await openSandbox()
    const id = await start(sandbox, 'slow-count', { seconds: 60 })
    const inputs = { ...lookAt(id), 'fail-on': 'none' }
    await using step = await runAction({ sandbox, action: 'wait', inputs })
    expect(step.exitCode).toBe(0)
    expect(step.outputs).toMatchObject({ finished: 'false', conclusion: 'timed-out' })
  })

  it('is false if the credentials are refused', async () => {
    await using sandbox = await openSandbox()
    const id = await start(sandbox, 'text-note')
    const stranger = { ...sandbox, apiToken: 'revoked-since-then' }
    await using step = await runAction({ sandbox: stranger, action: 'wait', inputs: lookAt(id) })
    expect(step.outputs).toMatchObject({ finished: 'false', conclusion: 'unknown' })
  })
})
