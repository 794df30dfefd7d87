import { describe, expect, it } from '@jest/globals'
import type { ScriptedStatus } from '../../sandbox/service/status-record.ts'
import { theError } from './support/facts.ts'
import {
  firstLine,
  idOf,
  openWorkflowRun,
  record,
  recordsIn,
  type AttemptScenario,
} from './support/workflow-run.ts'

const start: AttemptScenario = { action: 'start' }

/** The first attempt has started a run, of which the service then says this. */
async function openStarted(...course: ScriptedStatus[]) {
  const run = await openWorkflowRun()
  run.sandbox.script('next', course)
  await using first = await run.attempt(1, start)
  const id = idOf(run, 0)
  expect(first.outputs).toMatchObject({ 'execution-id': id, resumed: 'false' })
  expect(recordsIn(run.cache)).toEqual([record(1, id)])
  return { run, id, [Symbol.asyncDispose]: () => run[Symbol.asyncDispose]() }
}

describe('start, where the earlier execution', () => {
  it('is still running: its id is handed over', async () => {
    await using earlier = await openStarted({})
    const { run, id } = earlier
    await using step = await run.attempt(2, start)
    expect(firstLine(step)).toBe(
      `Execution ${id}, which attempt 1 started, is still running: handing its id over; nothing new is started`,
    )
    expect(step.outputs).toEqual({ 'execution-id': id, resumed: 'true' })
    expect([step.exitCode, run.starts, recordsIn(run.cache)]).toEqual([0, 1, [record(1, id)]])
  })

  it.each([401, 403])('can’t be asked for (%d): fails, with its id', async (status) => {
    await using earlier = await openStarted({})
    const { run, id } = earlier
    run.sandbox.faults.inject({ on: 'status', fault: 'status', status })
    await using step = await run.attempt(2, start)
    expect(firstLine(step)).toMatch(/ cannot be checked \(.*40[13].*\): nothing is started$/)
    expect(step.outputs).toEqual({ 'execution-id': id, resumed: 'true' })
    expect(theError(step).message).toContain(`execution-id ${id}`)
    expect([step.exitCode, run.starts]).toEqual([1, 1])
  })
})
