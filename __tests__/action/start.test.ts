import { describe, expect, it } from '@jest/globals'
import type { FaultInput } from '../../sandbox/service/faults.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { requestsOf, theError } from './support/facts.ts'
import { runAction } from './support/run-action.ts'

const action = 'start'

describe('start', () => {
  it('starts the run, hands over its id and the service’s message, and does not wait', async () => {
    await using sandbox = await openSandbox()
    const seed = '{ "seconds": 60, "id": 12345678901234567890 }'
    await using step = await runAction({ sandbox, action, automation: 'slow-count', seed })
    expect(step.exitCode).toBe(0)
    expect(step.outputs).toEqual({
      'execution-id': sandbox.executions[0]?.id,
      message: 'The automation slow-count started.',
      resumed: 'false',
    })
    expect(sandbox.requests.map(({ kind }) => kind)).toEqual(['start'])
    expect(sandbox.requests[0]?.headers['user-agent']).toMatch(/ \(start\)$/)
    expect(sandbox.executions[0]?.seedText).toBe(seed)
  })

  it.each<[string, Omit<FaultInput, 'on'>]>([
    ['a reset', { fault: 'reset-before-answer' }],
    ['502', { fault: 'status', status: 502 }],
    ['no id', { fault: 'missing-flags' }],
  ])('never starts twice: %s', async (_, fault) => {
    await using sandbox = await openSandbox()
    sandbox.faults.inject({ on: 'start', times: 'always', accepted: true, ...fault })
    await using step = await runAction({ sandbox, action })
    expect([step.exitCode, step.outputs]).toEqual([1, { resumed: 'false' }])
    expect(requestsOf(sandbox, 'start')).toHaveLength(1)
    expect(theError(step).title).toBe('text-note may or may not have started')
  })

  it('says why nothing was started', async () => {
    await using sandbox = await openSandbox()
    const inputs = { 'api-token': 'not-the-token' }
    await using step = await runAction({ sandbox, action, inputs })
    expect([step.exitCode, step.outputs, sandbox.executions]).toEqual([1, { resumed: 'false' }, []])
    expect(theError(step)).toMatchObject({
      title: 'text-note was not started',
      message: expect.stringMatching(/credentials were not provided.*Next: Check api-token/s),
    })
  })

  it('masks before anything else', async () => {
    await using sandbox = await openSandbox()
    await using step = await runAction({ sandbox, action })
    expect(step.stdout.split('\n')[0]).toBe(`::add-mask::${sandbox.apiToken}`)
    expect(step.masks).toEqual(expect.arrayContaining([sandbox.apiToken, sandbox.apiKey]))
  })
})
