import { describe, expect, it } from '@jest/globals'
import type { ScriptedStatus } from '../../sandbox/service/status-record.ts'
import {
  firstLine,
  idOf,
  openWorkflowRun,
  record,
  recordsIn,
  type AttemptScenario,
} from './support/workflow-run.ts'

const start: AttemptScenario = { action: 'start' }

/** Runs a first attempt that starts a run. Later checks of the run are answered with `course`. */
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
      `Execution ${id}, which attempt 1 started, is still running. This step outputs its execution id and starts nothing.`,
    )
    expect(step.outputs).toEqual({ 'execution-id': id, resumed: 'true' })
    expect([step.exitCode, run.starts, recordsIn(run.cache)]).toEqual([0, 1, [record(1, id)]])
  })
})
