import { readdirSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import type { FaultInput } from '../../sandbox/service/faults.ts'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { requestsOf, theError } from './support/facts.ts'
import { finishRun } from './support/finished-run.ts'
import { runPastTimeout } from './support/past-timeout.ts'
import { until } from './support/until.ts'

// Tests in simulated time show that a step ends within 2 s. These tests show that it ends at all.
const checked = (sandbox: Sandbox) => () => until(() => requestsOf(sandbox, 'status').length > 0)

describe('the timeout ends the step', () => {
  it.each<[string, Omit<FaultInput, 'on'>]>([
    ['the status route hangs', { fault: 'stall-headers' }],
    ['an answer hangs half-way', { fault: 'stall-body' }],
    ['an answer comes byte by byte', { fault: 'drip', every: 50 }],
    ['the status route fails', { fault: 'status', status: 500, body: 'Out of memory' }],
    ['flags are missing', { fault: 'status', status: 200, body: '{ "finished": true }' }],
  ])('while %s', async (_, fault) => {
    await using sandbox = await openSandbox()
    sandbox.faults.inject({ on: 'status', times: 'always', ...fault })
    await using step = await runPastTimeout({ sandbox }, checked(sandbox))
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'timed-out'])
    expect(step.outputs['execution-id']).toBe(sandbox.executions[0]?.id)
    expect(theError(step).title).toBe('text-note timed out')
    expect(theError(step).message).toMatch(
      /^The end of the run was not seen within 1 h .*, after \d+ checks? \(\d+ failed\)\. The last check failed \(.+\)\. The run may still be running\.\n/,
    )
  })

  it('while a Retry-After runs, and the last check sees the end', async () => {
    await using sandbox = await openSandbox()
    const headers = { 'retry-after': '7200' }
    sandbox.faults.inject({ on: 'status', fault: 'status', status: 429, headers })
    await using step = await runPastTimeout({ sandbox }, checked(sandbox))
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
    expect(requestsOf(sandbox, 'status')).toHaveLength(2)
  })

  it('while the start is in flight, and the message says how long the step waited', async () => {
    await using sandbox = await openSandbox()
    sandbox.faults.inject({ on: 'start', fault: 'stall-headers', accepted: true })
    const isAccepted = () => until(() => sandbox.executions.length > 0)
    const inputs = { timeout: '8s' }
    await using step = await runPastTimeout({ sandbox, inputs }, isAccepted, 10_000)
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'unknown'])
    expect(requestsOf(sandbox, 'start')).toHaveLength(1)
    expect(theError(step).title).toBe('text-note may or may not have started')
    expect(theError(step).message).toContain('got no clear answer (no answer within 8 s).')
  })

  describe('while a download hangs', () => {
    /** Lets all time for downloads run out when the file `whole` has been downloaded. */
    async function fetchUntil(whole: string, sandbox: Sandbox) {
      await using temp = await makeTemporaryFolder()
      const wait = { sandbox, action: 'wait', env: { RUNNER_TEMP: temp.path } } as const
      const inputs = { 'execution-id': await finishRun(sandbox) }
      const isWhole = () => readdirSync(temp.path, { recursive: true }).join().includes(whole)
      // Downloads end at most 10 minutes after the timeout of an hour.
      return await runPastTimeout({ ...wait, inputs }, () => until(isWhole), 71 * 60_000)
    }

    it.each(['stall-headers', 'stall-body'] as const)(
      'of a result (%s): the conclusion is success, and the result is missing',
      async (fault) => {
        await using sandbox = await openSandbox()
        sandbox.faults.inject({ on: 'link-result', fault, times: 'always' })
        await using step = await fetchUntil('run.log', sandbox)
        expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'success'])
        expect(theError(step).title).toMatch(/ succeeded, but its result is missing$/)
        expect(step.outputs['log']).toMatch(/^writing/)
        expect(step.outputs['result-file']).toBe('')
      },
    )

    it('of a log: the step succeeds', async () => {
      await using sandbox = await openSandbox()
      sandbox.faults.inject({ on: 'link-log', fault: 'stall-body', times: 'always' })
      await using step = await fetchUntil('result.txt', sandbox)
      expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
      expect(step.outputs['result']).toContain('All 12 feeds')
    })
  })
})
