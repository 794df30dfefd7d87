/**
 * Transcripts of re-runs. `unit/execution/begin` tests every row of the table in docs/reruns.md.
 */
import { expect, it } from '@jest/globals'
import { openCutOff, openWorkflowRun } from '../action/support/workflow-run.ts'
import { transcribeLog } from './support/transcript.ts'

const success = { finished: true }
const failure = { finished: true, error: true }

it('running', async () => {
  await using earlier = await openCutOff({}, success)
  const { run } = earlier
  await using step = await run.attempt(2)
  expect(transcribeLog(step)).toMatchSnapshot()
})

it('succeeded', async () => {
  await using earlier = await openCutOff(success)
  const { run } = earlier
  await using step = await run.attempt(2)
  expect(transcribeLog(step)).toMatchSnapshot()
})

it('a failure', async () => {
  await using earlier = await openCutOff(failure)
  const { run } = earlier
  // The run of the first attempt has failed. The second attempt starts a run, which fails too.
  run.sandbox.script('next', [failure])
  await using second = await run.attempt(2)
  expect(transcribeLog(second)).toMatchSnapshot('failed')
  run.sandbox.script('next', [success])
  await using third = await run.attempt(3)
  expect(transcribeLog(third)).toMatchSnapshot('reported')
})

it('unreadable', async () => {
  await using run = await openWorkflowRun()
  run.sandbox.script('next', [success])
  run.cache.inject({ on: 'look-up', fault: 'status', status: 403 })
  await using step = await run.attempt(2)
  expect(transcribeLog(step)).toMatchSnapshot()
})
