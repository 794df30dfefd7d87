/** Every row of the table of re-runs is proven in `unit/execution/rerun`; here, that it is used. */
import { expect, it } from '@jest/globals'
import { annotationsOf, requestsOf, theError } from './support/facts.ts'
import {
  cutOff,
  firstLine,
  idOf,
  openCutOff,
  openWorkflowRun,
  record,
  recordsIn,
} from './support/workflow-run.ts'

const succeeded = { finished: true }
const failed = { finished: true, error: true }

it('a run that goes on is taken over', async () => {
  await using earlier = await openCutOff({}, {}, succeeded)
  const { run, id } = earlier
  await using step = await run.attempt(2)
  expect(firstLine(step)).toBe(
    `Execution ${id}, which attempt 1 started, is still running: waiting for it; nothing new is started`,
  )
  expect(step.outputs).toMatchObject({ 'execution-id': id, resumed: 'true', conclusion: 'success' })
  expect(step.outputs['result']).toContain('All 12 feeds')
  expect([step.exitCode, run.starts]).toEqual([0, 1])
  const ends = ['started', 'started-left', 'reported-success-left']
  expect(recordsIn(run.cache)).toEqual(ends.map((end) => record(1, id, end)))
})

it('a re-run with timeout: 0s looks once at what an earlier attempt has started', async () => {
  await using earlier = await openCutOff()
  const { run, id } = earlier
  run.sandbox.faults.inject({ on: 'status', fault: 'status', status: 503, times: 'always' })
  const before = requestsOf(run.sandbox, 'status').length
  await using step = await run.attempt(2, cutOff)
  expect(step.outputs).toMatchObject({ 'execution-id': id, conclusion: 'timed-out' })
  expect(theError(step).message).toContain('when this step looked once (timeout: 0s)')
  expect(requestsOf(run.sandbox, 'status').length - before).toBe(1)
  expect([step.exitCode, run.starts]).toEqual([1, 1])
})

it('a run whose end was reported is no reason to start none', async () => {
  await using earlier = await openCutOff({}, failed)
  const { run, id } = earlier
  await using second = await run.attempt(2)
  expect([second.exitCode, second.outputs['conclusion']]).toEqual([1, 'error'])
  expect(theError(second).title).toBe('text-note failed')
  await using third = await run.attempt(3)
  expect(firstLine(third)).toBe(
    `Execution ${id}, which attempt 1 started, ended with error, which has been reported already: starting a new run`,
  )
  expect(third.outputs).toMatchObject({ 'execution-id': idOf(run, 1), resumed: 'false' })
  expect([third.exitCode, run.starts]).toEqual([0, 2])
})

it('a record that can’t be read lets a new run start, with a warning', async () => {
  await using run = await openWorkflowRun()
  run.cache.access = 'none'
  await using step = await run.attempt(2)
  expect(annotationsOf(step, 'warning').map(({ message }) => message)).toEqual([
    expect.stringMatching(/could not be read: .*cache read denied.* may still be going on\.$/),
  ])
  expect([step.exitCode, step.outputs['resumed'], run.starts]).toEqual([0, 'false', 1])
})
