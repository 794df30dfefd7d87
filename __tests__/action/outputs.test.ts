import { existsSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { annotationsOf, requestsOf, theError } from './support/facts.ts'
import { runAction } from './support/run-action.ts'

// Every write to this device fails as on a full disk.
const onFullDisk = existsSync('/dev/full') ? it : it.skip
const fullDisk = { GITHUB_OUTPUT: '/dev/full' }

describe('if the runner’s file for outputs cannot be written', () => {
  onFullDisk('the run is followed to its end, and the step fails with its id', async () => {
    await using sandbox = await openSandbox()
    const inputs = { 'upload-artifact': 'true' }
    await using step = await runAction({ sandbox, inputs, env: fullDisk })
    const id = sandbox.executions[0]?.id ?? '?'
    expect([step.exitCode, step.artifacts.length]).toEqual([1, 1])
    expect(requestsOf(sandbox, 'start')).toHaveLength(1)
    const { title, message } = theError(step)
    expect(title).toBe('text-note has finished, but the outputs could not be written')
    expect(message).toContain('no space left on device')
    expect(message).toContain('Next: Free space before this step')
    expect(message).toContain(`execution-id ${id}`)
    expect(annotationsOf(step, 'warning')[0]?.message).toMatch(/^The output resumed was not/)
  })

  onFullDisk('a batch is red in its log, its summary and its annotation', async () => {
    await using sandbox = await openSandbox()
    const inputs = { seeds: '[{"text":"a"}]' }
    await using step = await runAction({ sandbox, action: 'batch', inputs, env: fullDisk })
    expect(step.exitCode).toBe(1)
    const { title } = theError(step)
    expect(title).toBe('text-note has finished, but the outputs could not be written')
    expect(step.stdout).toContain(`✗ ${title}`)
    expect(step.stdout).not.toContain('✓')
    expect(step.summary).toContain(title)
  })

  onFullDisk('a start reports its id, and fails', async () => {
    await using sandbox = await openSandbox()
    await using step = await runAction({ sandbox, action: 'start', env: fullDisk })
    expect(step.exitCode).toBe(1)
    expect(theError(step).title).toBe('The outputs could not be written')
    expect(theError(step).message).toContain('Next: Free space before this step')
    expect(theError(step).message).toContain(`execution-id ${sandbox.executions[0]?.id ?? '?'}`)
  })

  onFullDisk('a project that was created fails the step, too', async () => {
    await using sandbox = await openSandbox()
    const inputs = { region: 'eu-west-1', 'docker-version': '3.12', name: 'reports' }
    const scenario = { sandbox, action: 'create-project', inputs, env: fullDisk } as const
    await using step = await runAction(scenario)
    expect([step.exitCode, sandbox.requests.length]).toEqual([1, 1])
    expect(theError(step).title).toBe('The outputs could not be written')
  })
})
