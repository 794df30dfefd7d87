import { describe, expect, it } from '@jest/globals'
import type { ScriptedStatus } from '../../sandbox/service/status-record.ts'
import { annotationsOf, theError } from './support/facts.ts'
import {
  firstLine,
  idOf,
  openWorkflowRun,
  record,
  recordsIn,
  type AttemptScenario,
} from './support/workflow-run.ts'

const start: AttemptScenario = { action: 'start' }
const reuse: AttemptScenario = { ...start, inputs: { 'on-rerun': 'reuse' } }

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

  it.each<[string, ScriptedStatus]>([
    ['success', { finished: true }],
    ['error', { finished: true, error: true }],
    ['container-error', { finished: true, container_error: true }],
    ['stopped', { finished: true, stopped: true }],
  ])('has ended with %s: a new run, saved at once', async (conclusion, end) => {
    await using earlier = await openStarted(end)
    const { run, id } = earlier
    await using step = await run.attempt(2, start)
    expect(firstLine(step)).toBe(
      `Execution ${id}, which attempt 1 started, ended with ${conclusion}, which no attempt has reported yet: starting a new run`,
    )
    expect(step.outputs).toMatchObject({ 'execution-id': idOf(run, 1), resumed: 'false' })
    expect(recordsIn(run.cache)).toEqual([record(1, id), record(2, idOf(run, 1))])
  })

  it('was a success, with on-rerun: reuse: its id is handed over', async () => {
    await using earlier = await openStarted({ finished: true })
    const { run, id } = earlier
    await using step = await run.attempt(2, reuse)
    expect(firstLine(step)).toBe(
      `Execution ${id}, which attempt 1 started, ended with success: handing its id over; nothing new is started (on-rerun: reuse)`,
    )
    expect(step.outputs).toEqual({ 'execution-id': id, resumed: 'true' })
    expect([step.exitCode, run.starts]).toEqual([0, 1])
  })

  it.each([401, 403])('can’t be asked for (%d): fails, with its id', async (status) => {
    await using earlier = await openStarted({})
    const { run, id } = earlier
    run.sandbox.faults.inject({ on: 'status', fault: 'status', status })
    await using step = await run.attempt(2, start)
    expect(firstLine(step)).toMatch(/ can't be asked for \(.*40[13].*\): nothing is started$/)
    expect(step.outputs).toEqual({ 'execution-id': id, resumed: 'true' })
    expect(theError(step).message).toContain(`execution-id ${id}`)
    expect([step.exitCode, run.starts]).toEqual([1, 1])
  })

  it('may or may not have been started: a new run, with a warning', async () => {
    await using run = await openWorkflowRun()
    run.sandbox.faults.inject({ on: 'start', fault: 'half-answer', accepted: true })
    await using first = await run.attempt(1, start)
    expect([first.exitCode, recordsIn(run.cache)]).toEqual([1, ['1-unknown']])
    await using step = await run.attempt(2, start)
    expect(firstLine(step)).toContain('Attempt 1 of this job may or may not have started a run')
    expect(annotationsOf(step, 'warning')).toHaveLength(1)
    expect([step.exitCode, step.outputs['resumed'], run.starts]).toEqual([0, 'false', 2])
  })

  it('has left no record: it starts, and says so', async () => {
    await using run = await openWorkflowRun()
    await using step = await run.attempt(2, start)
    expect(firstLine(step)).toBe(
      'Attempt 2: no earlier attempt of this job left a record of this step; starting',
    )
    expect([step.exitCode, step.outputs['resumed'], run.starts]).toEqual([0, 'false', 1])
  })

  it('can’t be known, since the memory can’t be read: starts, with a warning', async () => {
    await using run = await openWorkflowRun()
    run.cache.access = 'none'
    await using step = await run.attempt(2, start)
    expect(annotationsOf(step, 'warning').map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^What an earlier attempt of this job started could not be read: .*cache read denied.* an earlier one may still be going on\.$/,
      ),
    ])
    expect([step.exitCode, step.outputs['resumed'], run.starts]).toEqual([0, 'false', 1])
  })
})
