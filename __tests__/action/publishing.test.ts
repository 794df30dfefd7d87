import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeCheckout } from './support/checkout.ts'
import { filesBelow, theError } from './support/facts.ts'
import { runAction } from './support/run-action.ts'

const note = 'All 12 feeds were read.\nNothing new since yesterday.\n'

describe('save-result-as and save-log-as', () => {
  it('write copies into the workspace, make folders, and replace older files', async () => {
    await using sandbox = await openSandbox()
    await using checkout = await makeCheckout({ 'last.log': 'of the run before' })
    const inputs = { 'save-result-as': 'reports/daily/note.txt', 'save-log-as': 'last.log' }
    await using step = await runAction({ sandbox, inputs, workspace: checkout.workspace })
    const files = await filesBelow(checkout.workspace)
    expect(files['reports/daily/note.txt']?.toString()).toBe(note)
    expect(files['last.log']?.toString()).toBe(step.outputs['log'])
    // The outputs name the originals, because the workflow may move or change the copies.
    expect(path.dirname(step.outputs['result-file'] ?? '')).toContain(step.temp)
  })
})

describe('summary', () => {
  it('false: nothing is written', async () => {
    await using sandbox = await openSandbox()
    const inputs = { summary: 'false' }
    await using step = await runAction({ sandbox, automation: 'broken-report', inputs })
    expect(step.summary).toBe('')
  })
})

describe('the artifact', () => {
  it('has the name and the retention days of the inputs', async () => {
    await using sandbox = await openSandbox()
    const inputs = {
      'upload-artifact': 'true',
      'artifact-name': 'daily report',
      'retention-days': '3',
    }
    await using step = await runAction({ sandbox, inputs })
    expect(step.artifacts).toMatchObject([{ name: 'daily report', retentionDays: 3 }])
    expect(step.outputs['artifact-name']).toBe('daily report')
  })
})

it.each([undefined, 'start'] as const)(
  'if the temp folder cannot be made, nothing is started (%s)',
  async (action) => {
    await using sandbox = await openSandbox()
    await using checkout = await makeCheckout({ file: '' })
    const env = { RUNNER_TEMP: path.join(checkout.workspace, 'file') }
    await using step = await runAction({ sandbox, env, ...(action && { action }) })
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([
      1,
      action ? undefined : 'not-started',
    ])
    expect([theError(step).title, sandbox.requests]).toEqual(['text-note was not started', []])
  },
)
