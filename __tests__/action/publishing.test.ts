import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeCheckout } from './support/checkout.ts'
import { filesBelow } from './support/facts.ts'
import { runAction } from './support/run-action.ts'

const note = 'All 12 feeds were read.\nNothing new since yesterday.\n'

it('the outputs name the files in the temporary folder, and the workspace stays unchanged', async () => {
  await using sandbox = await openSandbox()
  await using checkout = await makeCheckout({ 'last.log': 'of the run before' })
  await using step = await runAction({ sandbox, workspace: checkout.workspace })
  const [result = '', log = ''] = [step.outputs['result-file'], step.outputs['log-file']]
  expect(await readFile(result, 'utf8')).toBe(note)
  expect(await readFile(log, 'utf8')).toBe(step.outputs['log'])
  expect([result, log].every((file) => path.isAbsolute(file))).toBe(true)
  expect(path.dirname(result)).toContain(step.temp)
  expect(Object.keys(await filesBelow(checkout.workspace))).toEqual(['last.log'])
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
