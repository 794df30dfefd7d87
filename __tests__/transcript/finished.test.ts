/** Transcripts of runs that end. The snapshots beside this file contain them. */
import { describe, expect, it } from '@jest/globals'
import { openCacheService } from '../../sandbox/runner/cache-service.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { patiently } from '../action/support/past-timeout.ts'
import { runAction } from '../action/support/run-action.ts'
import { transcribe } from './support/transcript.ts'

const automation = 'daily_report'
const upload = { 'upload-artifact': 'true' }
/** The second check reports the end, so that the log does not depend on how busy the machine is. */
const atTheSecondCheck = (flags = {}) => [{}, { finished: true, ...flags }]

describe('a run that succeeds', () => {
  it('with rows', async () => {
    await using sandbox = await openSandbox()
    sandbox.script('next', atTheSecondCheck())
    const inputs = { ...upload, webhook: 'https://example.com/hook', 'webhook-headers': 'X-A: b' }
    const seed = { region: 'north', days: 14 }
    await using step = await runAction({ sandbox, automation, seed, inputs })
    expect(transcribe(step)).toMatchSnapshot()
  })
})

describe('a run that fails', () => {
  it('with a traceback', async () => {
    await using sandbox = await openSandbox()
    sandbox.script('next', atTheSecondCheck({ error: true }))
    const seed = { region: 'south' }
    await using step = await runAction({ sandbox, automation, seed, inputs: upload })
    expect(transcribe(step)).toMatchSnapshot()
  })

  it('because its container died', async () => {
    await using sandbox = await openSandbox()
    sandbox.script('next', atTheSecondCheck({ container_error: true }))
    await using step = await runAction({ sandbox, automation: 'crashing-import', inputs: upload })
    expect(transcribe(step)).toMatchSnapshot()
  })

  it('with a conclusion that fail-on allows', async () => {
    await using sandbox = await openSandbox()
    sandbox.script('next', atTheSecondCheck({ stopped: true }))
    await using step = await runAction({ sandbox, inputs: { ...upload, 'fail-on': 'error' } })
    expect(transcribe(step)).toMatchSnapshot()
  })
})

describe('a run with retries', () => {
  const inputs = { 'poll-interval': '1h', timeout: '2h' }

  it('that dies, then succeeds', async () => {
    await using sandbox = await openSandbox()
    await using cacheService = await openCacheService()
    const kept = { cacheService, env: patiently }
    sandbox.script('next', [{ finished: true, container_error: true }])
    sandbox.script('next', [{ finished: true }])
    await using step = await runAction({ sandbox, ...kept, inputs: { ...inputs, retries: '2' } })
    expect(transcribe(step)).toMatchSnapshot()
  })
})
