/**
 * What a step of a job that runs again prints, for each row of the table in docs/reruns.md, which
 * shows these snapshots: after a change, `npm run docs` writes them there.
 */
import { describe, expect, it } from '@jest/globals'
import { openWorkflowRun } from '../action/support/workflow-run.ts'
import {
  afterHalfAMinute,
  leave,
  openUntold,
  scenarioOf,
  type Action,
} from './support/earlier-attempt.ts'
import { transcribeLog } from './support/transcript.ts'

const success = { finished: true }
const failure = { finished: true, error: true }
const both: Action[] = ['run', 'start']

describe.each(both)('%s', (action) => {
  const again = scenarioOf(action)
  const reuse = scenarioOf(action, { 'on-rerun': 'reuse' })

  it('running', async () => {
    await using run = await openUntold(action, {}, success)
    await using step = await run.attempt(2, again)
    expect(transcribeLog(step)).toMatchSnapshot()
  })

  it('succeeded', async () => {
    await using run = await openUntold(action, success)
    await using step = await run.attempt(2, again)
    expect(transcribeLog(step)).toMatchSnapshot()
  })

  it('failed', async () => {
    await using run = await openUntold(action, failure)
    run.sandbox.script('next', [success])
    await using step = await run.attempt(2, again)
    expect(transcribeLog(step)).toMatchSnapshot()
  })

  it('reusable', async () => {
    await using run = await openWorkflowRun()
    run.sandbox.script('next', [success])
    await leave(run.attempt(1, reuse))
    await using step = await run.attempt(2, reuse)
    expect(transcribeLog(step)).toMatchSnapshot()
  })

  it('not-learned', async () => {
    await using run = await openUntold(action, success)
    // `start` is done after 30 s; a step that waits goes on until the service is back.
    const times = action === 'run' ? 2 : 'always'
    run.sandbox.faults.inject({ on: 'status', fault: 'status', status: 502, times })
    await using step = await afterHalfAMinute(run, action)
    expect(transcribeLog(step)).toMatchSnapshot()
  })

  it('credentials-refused', async () => {
    await using run = await openUntold(action, {})
    const body = JSON.stringify({ detail: 'The token was revoked.' })
    run.sandbox.faults.inject({ on: 'status', fault: 'status', status: 401, body, times: 'always' })
    await using step = await run.attempt(2, again)
    expect(transcribeLog(step)).toMatchSnapshot()
  })

  it('not-found', async () => {
    await using run = await openUntold(action, {})
    run.sandbox.script('next', [success])
    run.sandbox.faults.inject({ on: 'status', fault: 'status', status: 404, times: 2 })
    await using step = await afterHalfAMinute(run, action)
    expect(transcribeLog(step)).toMatchSnapshot()
  })

  it('start-unknown', async () => {
    await using run = await openWorkflowRun()
    run.sandbox.faults.inject({ on: 'start', fault: 'half-answer', accepted: true })
    await leave(run.attempt(1, again))
    run.sandbox.script('next', [success])
    await using step = await run.attempt(2, again)
    expect(transcribeLog(step)).toMatchSnapshot()
  })

  it('no-record', async () => {
    await using run = await openWorkflowRun()
    run.sandbox.script('next', [success])
    await using step = await run.attempt(2, again)
    expect(transcribeLog(step)).toMatchSnapshot()
  })

  it('memory-unreadable', async () => {
    await using run = await openWorkflowRun()
    run.sandbox.script('next', [success])
    run.cache.inject({ on: 'look-up', fault: 'status', status: 403 })
    await using step = await run.attempt(2, again)
    expect(transcribeLog(step)).toMatchSnapshot()
  })
})

// `start` tells no end.
describe('run', () => {
  it('told', async () => {
    await using run = await openUntold('run', failure)
    // The cut-off attempt told none: the second one's own run fails, and is told.
    run.sandbox.script('next', [failure])
    await leave(run.attempt(2))
    run.sandbox.script('next', [success])
    await using step = await run.attempt(3)
    expect(transcribeLog(step)).toMatchSnapshot()
  })
})
