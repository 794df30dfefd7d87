/** The output `summary-file`: the job summary of the step, for posting it elsewhere. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { runAction } from './support/run-action.ts'

const summaryOf = (step: { outputs: Record<string, string> }) =>
  readFile(step.outputs['summary-file'] ?? '', 'utf8')

describe('the output summary-file', () => {
  it.each(['text-note', 'broken-report'])(
    'holds what the step added, and leads to its page (%s)',
    async (automation) => {
      await using sandbox = await openSandbox()
      await using step = await runAction({ sandbox, automation })
      expect(step.summary).toContain(automation)
      const page = 'https://github.com/owner/repo/actions/runs/4200/attempts/1'
      const link = `<p><a href="${page}">The workflow run</a></p>\n`
      expect(await summaryOf(step)).toBe(step.summary + link)
    },
  )

  it('is set by wait, for a run that goes on too', async () => {
    await using sandbox = await openSandbox()
    const scenario = { sandbox, automation: 'slow-count', seed: { seconds: 60 } }
    await using started = await runAction({ ...scenario, action: 'start' })
    const inputs = { 'execution-id': started.outputs['execution-id'] ?? '', timeout: '0s' }
    await using step = await runAction({ sandbox, action: 'wait', inputs })
    expect(await summaryOf(step)).toContain('is not over yet')
  })

  it('has no secret in it, and no result that is not to be printed', async () => {
    await using sandbox = await openSandbox()
    const seed = { key: sandbox.apiKey, note: 'confidential' }
    const scenario = { sandbox, automation: 'echo', seed }
    await using step = await runAction(scenario)
    const text = await summaryOf(step)
    expect([text.includes('confidential'), text.includes(sandbox.apiKey)]).toEqual([true, false])
    await using quiet = await runAction({ ...scenario, inputs: { 'print-result': 'false' } })
    expect(await summaryOf(quiet)).not.toContain('confidential')
  })
})
