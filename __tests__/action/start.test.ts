import { describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { runAction } from './support/run-action.ts'

const action = 'start'

describe('start', () => {
  it('starts the run, outputs its id and the service’s message, and does not wait', async () => {
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
})
