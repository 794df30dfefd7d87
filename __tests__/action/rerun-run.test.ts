import { describe, expect, it } from '@jest/globals'
import type { ScriptedStatus } from '../../sandbox/service/status-record.ts'
import { annotationsOf, theError } from './support/facts.ts'
import {
  firstLine,
  idOf,
  openCutOff,
  openWorkflowRun,
  record,
  recordsIn,
} from './support/workflow-run.ts'

const succeeded = { finished: true }
const failed = { finished: true, error: true }
const reuse = { inputs: { 'on-rerun': 'reuse' } }

describe('the earlier execution', () => {
  it('is still running: it is taken over', async () => {
    await using earlier = await openCutOff({}, {}, succeeded)
    const { run, id } = earlier
    await using step = await run.attempt(2)
    expect(firstLine(step)).toBe(
      `Execution ${id}, which attempt 1 started, is still running: waiting for it; nothing new is started`,
    )
    expect(step.outputs).toMatchObject({ 'execution-id': id, resumed: 'true' })
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
    expect(step.outputs['result']).toContain('All 12 feeds')
    expect(step.log).toContain(`Automation text-note of project demo, execution ${id}`)
    expect(step.log).toContain('text-note succeeded')
    expect(run.starts).toBe(1)
    expect(recordsIn(run.cache)).toEqual([record(1, id), record(1, id, 'success')])
  })

  it('is taken over and dies: another one follows, and the step resumed all the same', async () => {
    await using earlier = await openCutOff({}, {}, { finished: true, container_error: true })
    const { run, id } = earlier
    await using step = await run.attempt(2, { inputs: { retries: '1' } })
    const second = idOf(run, 1)
    expect(step.outputs).toMatchObject({ 'execution-id': second, resumed: 'true' })
    expect([step.exitCode, step.outputs['conclusion'], run.starts]).toEqual([0, 'success', 2])
    const news = [record(2, second), record(2, second, 'success')]
    expect(recordsIn(run.cache)).toEqual([record(1, id), ...news])
  })

  it('has succeeded, and nobody was told: its result is handed on', async () => {
    await using earlier = await openCutOff(succeeded)
    const { run, id } = earlier
    await using step = await run.attempt(2)
    expect(firstLine(step)).toBe(
      `Execution ${id}, which attempt 1 started, ended with success, which no attempt has reported yet: handing on what it left; nothing new is started`,
    )
    expect(step.outputs).toMatchObject({ 'execution-id': id, resumed: 'true' })
    expect([step.exitCode, step.outputs['conclusion'], run.starts]).toEqual([0, 'success', 1])
  })

  it.each<[string, ScriptedStatus]>([
    ['error', failed],
    ['container-error', { finished: true, container_error: true }],
    ['stopped', { finished: true, stopped: true }],
  ])('has ended with %s, and nobody was told: a new run', async (conclusion, end) => {
    await using earlier = await openCutOff(end)
    const { run, id } = earlier
    await using step = await run.attempt(2)
    expect(firstLine(step)).toBe(
      `Execution ${id}, which attempt 1 started, ended with ${conclusion}, which no attempt has reported yet: starting a new run`,
    )
    const second = idOf(run, 1)
    expect(step.outputs).toMatchObject({ 'execution-id': second, resumed: 'false' })
    expect([step.exitCode, run.starts]).toEqual([0, 2])
    // However young it is: else the record of the first would be the newest.
    const news = [record(2, second), record(2, second, 'success')]
    expect(recordsIn(run.cache)).toEqual([record(1, id), ...news])
  })

  it('had its end told: a person asked for a new run', async () => {
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

  it('was a success, with on-rerun: reuse: it is handed on, told or not, again and again', async () => {
    await using run = await openWorkflowRun()
    await using first = await run.attempt(1, reuse)
    const id = idOf(run, 0)
    expect(first.outputs).toMatchObject({ 'execution-id': id, resumed: 'false' })
    for (const attempt of [2, 3]) {
      await using step = await run.attempt(attempt, reuse)
      expect(firstLine(step)).toBe(
        `Execution ${id}, which attempt 1 started, ended with success: handing on what it left; nothing new is started (on-rerun: reuse)`,
      )
      expect(step.outputs).toMatchObject({ 'execution-id': id, resumed: 'true' })
      expect(step.outputs['result']).toBe(first.outputs['result'])
    }
    expect([run.starts, recordsIn(run.cache)]).toEqual([1, [record(1, id, 'success')]])
  })

  it('was a failure, with on-rerun: reuse: a new run', async () => {
    await using earlier = await openCutOff(failed)
    await using step = await earlier.run.attempt(2, reuse)
    expect([step.exitCode, step.outputs['resumed'], earlier.run.starts]).toEqual([0, 'false', 2])
  })

  it.each([401, 403])('can no longer be asked for (%d): unknown, with its id', async (status) => {
    await using earlier = await openCutOff()
    const { run, id } = earlier
    const body = JSON.stringify({ detail: 'The token was revoked.' })
    run.sandbox.faults.inject({ on: 'status', fault: 'status', status, body, times: 'always' })
    await using step = await run.attempt(2)
    expect(firstLine(step)).toMatch(
      /^Execution \S+, which attempt 1 started, can't be asked for \(.*40[13].*The token was revoked\.\): nothing is started$/,
    )
    expect(step.outputs).toMatchObject({ 'execution-id': id, conclusion: 'unknown' })
    expect(theError(step).title).toBe('text-note can no longer be watched')
    expect([step.exitCode, run.starts]).toEqual([1, 1])
  })

  it('may or may not have been started: a new run, with a warning', async () => {
    await using run = await openWorkflowRun()
    run.sandbox.faults.inject({ on: 'start', fault: 'half-answer', accepted: true })
    await using first = await run.attempt(1)
    expect([first.outputs['conclusion'], recordsIn(run.cache)]).toEqual(['unknown', ['1-unknown']])
    expect(first.outputs['execution-id']).toBeUndefined()
    await using step = await run.attempt(2)
    expect(annotationsOf(step, 'warning').map(({ message }) => message)).toEqual([
      'Attempt 1 of this job may or may not have started a run: its start got no clear answer. Starting a new run; there may be two.',
    ])
    expect(firstLine(step)).toContain('Attempt 1 of this job may or may not have started a run')
    expect([step.exitCode, step.outputs['resumed'], run.starts]).toEqual([0, 'false', 2])
  })

  it('can’t be known, since the memory can’t be read: a new run, with a warning', async () => {
    await using run = await openWorkflowRun()
    run.cache.access = 'none'
    await using step = await run.attempt(2)
    expect(annotationsOf(step, 'warning').map(({ message }) => message)).toEqual([
      expect.stringMatching(/could not be read: .*cache read denied.* may still be going on\.$/),
    ])
    expect([step.exitCode, step.outputs['resumed'], run.starts]).toEqual([0, 'false', 1])
  })

  it('has left no record: the step starts, and says so', async () => {
    await using run = await openWorkflowRun()
    await using step = await run.attempt(2)
    expect(firstLine(step)).toBe(
      'Attempt 2: no earlier attempt of this job left a record of this step; starting',
    )
    expect(step.outputs).toMatchObject({ 'execution-id': idOf(run, 0), resumed: 'false' })
    expect([step.exitCode, run.starts, annotationsOf(step, 'warning')]).toEqual([0, 1, []])
  })
})

describe('on-rerun: start', () => {
  it('never asks, and starts a new run', async () => {
    await using earlier = await openCutOff()
    const { run } = earlier
    run.cache.requests.length = 0
    await using step = await run.attempt(2, { inputs: { 'on-rerun': 'start' } })
    expect(run.cache.requests.filter(({ call }) => call === 'look-up')).toEqual([])
    expect(firstLine(step)).toMatch(/^Service http/)
    expect(step.outputs).toMatchObject({ 'execution-id': idOf(run, 1), resumed: 'false' })
  })
})
