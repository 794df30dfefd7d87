import { expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeAutomations } from './support/automations.ts'
import { runAction } from './support/run-action.ts'

it('a log of one line that is cut within a secret shows no part of it', async () => {
  const body = `console.log('x'.repeat(1024 * 1024) + seed.key + 'y'.repeat(1024 * 1024 - 12))`
  await using automations = await makeAutomations({ tell: body })
  await using sandbox = await openSandbox({ automations: automations.folder })
  const scenario = { sandbox, automation: 'tell', seed: { key: sandbox.apiKey } }
  await using step = await runAction({ ...scenario, inputs: { 'print-log': 'always' } })
  expect(step.exitCode).toBe(0)
  expect(step.log).toContain('yyyy')
  expect(step.log).not.toContain(sandbox.apiKey.slice(-6))
})
