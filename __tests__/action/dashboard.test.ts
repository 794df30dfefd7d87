/** The input `dashboard-url`: the link to a run, as soon as its id is known. */
import { expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { runAction } from './support/run-action.ts'

const page = 'https://dashboard.example/runs/'

it('the link to the run is in the log and in the output execution-url', async () => {
  await using sandbox = await openSandbox()
  const inputs = { 'dashboard-url': `${page}{execution-id}?of={project}/{automation}` }
  for (const scenario of [{}, { action: 'start' as const }]) {
    await using step = await runAction({ ...scenario, sandbox, inputs })
    const { 'execution-id': id = '', 'execution-url': url = '' } = step.outputs
    expect(url).toBe(`${page}${id}?of=demo/text-note`)
    expect(step.stdout).toContain(`Run: ${url}`)
  }
})

it('wait links to the run by its id, before the first check', async () => {
  await using sandbox = await openSandbox()
  const inputs = { 'execution-id': 'a b', 'dashboard-url': `${page}{execution-id}`, timeout: '0s' }
  await using step = await runAction({ sandbox, action: 'wait', inputs })
  expect(step.outputs['execution-url']).toBe(`${page}a%20b`)
})
