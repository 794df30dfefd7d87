import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { runAction } from './support/run-action.ts'

const summaryOf = (step: { outputs: Record<string, string> }) =>
  readFile(step.outputs['summary-file'] ?? '', 'utf8')

describe('the output summary-file', () => {
  it.each(['text-note', 'broken-report'])(
    'contains the step’s summary, with a link to the workflow run (%s)',
    async (automation) => {
      await using sandbox = await openSandbox()
      await using step = await runAction({ sandbox, automation })
      expect(step.summary).toContain(automation)
      const page = 'https://github.com/owner/repo/actions/runs/4200/attempts/1'
      const link = `<p><a href="${page}">The workflow run</a></p>\n`
      expect(await summaryOf(step)).toBe(step.summary + link)
    },
  )

  it('is the only summary with summary: false', async () => {
    await using sandbox = await openSandbox()
    const inputs = { summary: 'false' }
    await using step = await runAction({ sandbox, automation: 'broken-report', inputs })
    expect(step.summary).toBe('')
  })

  it('is set by wait, also for a run that is still running', async () => {
    await using sandbox = await openSandbox()
    const scenario = { sandbox, automation: 'slow-count', seed: { seconds: 60 } }
    await using started = await runAction({ ...scenario, action: 'start' })
    const inputs = { 'execution-id': started.outputs['execution-id'] ?? '', timeout: '0s' }
    await using step = await runAction({ sandbox, action: 'wait', inputs })
    expect(await summaryOf(step)).toContain('has not finished yet')
  })
})
