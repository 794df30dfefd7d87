/**
 * Transcripts of start, wait and create-project. The snapshots beside this file contain them. The
 * transcripts of `run` show the lines that wait prints when it publishes.
 */
import { expect, it } from '@jest/globals'
import { openCacheService } from '../../sandbox/runner/cache-service.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { patiently } from '../action/support/past-timeout.ts'
import { runAction } from '../action/support/run-action.ts'
import { transcribe, transcribeLog } from './support/transcript.ts'

it('start', async () => {
  await using sandbox = await openSandbox()
  await using cacheService = await openCacheService()
  const kept = { cacheService, env: patiently }
  const start = { action: 'start', automation: 'echo', seed: { feeds: 12 } } as const
  await using step = await runAction({ sandbox, ...kept, ...start })
  expect(transcribe(step)).toMatchSnapshot()
})

it('wait, for a run that another step started', async () => {
  await using sandbox = await openSandbox()
  sandbox.script('next', [{}, { finished: true }])
  await using started = await runAction({ sandbox, action: 'start', automation: 'text-note' })
  const inputs = { 'execution-id': started.outputs['execution-id'] ?? '' }
  await using step = await runAction({ sandbox, action: 'wait', inputs })
  expect(transcribeLog(step)).toMatchSnapshot()
})

it('wait, for a run that the service does not know', async () => {
  await using sandbox = await openSandbox()
  const inputs = { 'execution-id': '3fa85f64-5717-4562-b3fc-2c963f66afa6', timeout: '0s' }
  await using step = await runAction({ sandbox, action: 'wait', inputs })
  expect(transcribe(step)).toMatchSnapshot()
})

const project = { region: 'eu-west-1', 'docker-version': '3.12', name: 'reports' }

it('create-project', async () => {
  await using sandbox = await openSandbox()
  await using step = await runAction({ sandbox, action: 'create-project', inputs: project })
  expect(transcribe(step)).toMatchSnapshot()
})

it('create-project, if the service refuses', async () => {
  await using sandbox = await openSandbox()
  const inputs = { ...project, region: 'mars-north-1' }
  await using step = await runAction({ sandbox, action: 'create-project', inputs })
  expect(transcribe(step)).toMatchSnapshot()
})
