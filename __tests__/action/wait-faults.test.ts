import { describe, expect, it } from '@jest/globals'
import type { FaultInput } from '../../sandbox/service/faults.ts'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { annotationsOf, requestsOf, theError } from './support/facts.ts'
import { finishRun } from './support/finished-run.ts'
import { runPastTimeout } from './support/past-timeout.ts'
import { runAction } from './support/run-action.ts'
import { until } from './support/until.ts'

/** Waits for the second check, which is sent after the first check has been answered. */
const checkedTwice = (sandbox: Sandbox) => () =>
  until(() => requestsOf(sandbox, 'status').length > 1)

describe('a check that fails does not end the wait', () => {
  // The tests of polling and of the client cover the other answers.
  const faults: [string, Omit<FaultInput, 'on'>][] = [
    ['a reset', { fault: 'reset-before-answer' }],
    ['404 for a run just started', { fault: 'status', status: 404, body: '{"error":"unknown"}' }],
    ['texts in place of flags', { fault: 'wrong-types' }],
    ['401 to credentials that worked before', { fault: 'status', status: 401 }],
  ]

  it.each(faults)('%s', async (_, fault) => {
    await using sandbox = await openSandbox()
    sandbox.faults.inject({ on: 'status', times: 2, ...fault })
    await using step = await runAction({ sandbox })
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
    expect(requestsOf(sandbox, 'status').length).toBeGreaterThan(2)
    expect(requestsOf(sandbox, 'start')).toHaveLength(1)
    expect(step.annotations).toEqual([])
  })
})

describe('credentials that are refused while waiting', () => {
  it('at the first check of a step without a start: the wait ends at once', async () => {
    await using sandbox = await openSandbox()
    const inputs = { 'execution-id': await finishRun(sandbox) }
    const before = requestsOf(sandbox, 'status').length
    sandbox.faults.inject({ on: 'status', fault: 'status', status: 401, times: 'always' })
    await using step = await runAction({ sandbox, action: 'wait', inputs })
    expect(step.exitCode).toBe(1)
    expect(step.outputs).toMatchObject({ finished: 'false', conclusion: 'unknown' })
    expect(requestsOf(sandbox, 'status').length - before).toBe(1)
  })

  it.each([401, 403])(
    '%s: the wait ends after 30 s, with the id and how to fetch the run',
    async (status) => {
      await using sandbox = await openSandbox()
      const body = '{ "detail": "The token was revoked." }'
      sandbox.faults.inject({
        on: 'status',
        fault: 'status',
        status,
        skip: 1,
        times: 'always',
        body,
      })
      const scenario = { sandbox, automation: 'slow-count', seed: { seconds: 60 } }
      await using step = await runPastTimeout(scenario, checkedTwice(sandbox), 30_000)
      const id = sandbox.executions[0]?.id ?? '?'
      expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'unknown'])
      expect(step.outputs['execution-id']).toBe(id)
      expect(theError(step).title).toBe('slow-count can no longer be watched')
      expect(theError(step).message).toMatch(
        /The token was revoked.*may still be running.*Check api-token/s,
      )
      expect(theError(step).message).toContain(`execution-id ${id}`)
    },
  )
})

it('a failure flag is no end when the time has run out', async () => {
  await using sandbox = await openSandbox()
  sandbox.script('next', [{}, { error: true }])
  const checked = () => until(() => requestsOf(sandbox, 'status').length > 0)
  await using step = await runPastTimeout({ sandbox, inputs: { 'poll-interval': '1h' } }, checked)
  expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'timed-out'])
  expect(theError(step).message).toContain('still running, although the service shows a failure')
})

it('a failure flag that lasted is the end when the time has run out', async () => {
  await using sandbox = await openSandbox()
  sandbox.script('next', [{ error: true }])
  await using step = await runPastTimeout({ sandbox }, checkedTwice(sandbox))
  expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'error'])
  expect(annotationsOf(step, 'notice')[0]?.message).toContain('has not finished the run yet')
})
