import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { check, run, start, type Finished } from './caller.ts'

const lost = /ECONNRESET|socket hang up/

describe('a fault', () => {
  let sandbox: Sandbox
  let finished: Finished
  beforeAll(async () => {
    sandbox = await openSandbox()
    finished = await run(sandbox, 'text-note', { seed: { text: 'ten bytes\n' } })
  })
  afterEach(() => sandbox.faults.clear())
  afterAll(() => sandbox.close())

  const look = () => check(sandbox, finished.id)

  it('applies only to its route, as often as given, after `skip` requests', async () => {
    sandbox.faults.inject({ on: 'status', fault: 'status', status: 503, times: 2, skip: 1 })
    expect((await start(sandbox, 'quiet')).status).toBe(202)
    const statuses = []
    for (let call = 0; call < 4; call++) statuses.push((await look()).status)
    expect(statuses).toEqual([200, 503, 503, 200])
  })

  it.each([
    [false, 0],
    [true, 1],
  ])('reset-before-answer (accepted: %j) leaves %i more execution', async (accepted, more) => {
    const before = sandbox.executions.length
    sandbox.faults.inject({ on: 'start', fault: 'reset-before-answer', accepted })
    await expect(start(sandbox, 'quiet', '{"seed":{}}')).rejects.toThrow(lost)
    expect(sandbox.executions).toHaveLength(before + more)
    expect(sandbox.requests.at(-1)).toMatchObject({ kind: 'start', body: '{"seed":{}}' })
  })
})
