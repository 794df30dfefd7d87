/** Transcripts of steps that end before their run. The snapshots beside this file contain them. */
import { describe, expect, it } from '@jest/globals'
import { openCacheService } from '../../sandbox/runner/cache-service.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { requestsOf } from '../action/support/facts.ts'
import { patiently, runPastTimeout } from '../action/support/past-timeout.ts'
import { runAction, startAction } from '../action/support/run-action.ts'
import { until } from '../action/support/until.ts'
import { itWithSignals } from '../action/support/with-signals.ts'
import { transcribe } from './support/transcript.ts'

/** A run that is still running when the step ends. */
const endless = { automation: 'slow-count', seed: { seconds: 60 } }
/** The step checks once, however busy the machine is. */
const oneCheck = { 'poll-interval': '1h' }

describe('a run that is still running', () => {
  it('when the timeout ends', async () => {
    await using sandbox = await openSandbox()
    await using cacheService = await openCacheService()
    const scenario = { sandbox, cacheService, ...endless, inputs: oneCheck }
    const checked = () => until(() => requestsOf(sandbox, 'status').length > 0)
    await using step = await runPastTimeout(scenario, checked)
    // On a busy machine, these lines may appear in the log or not.
    const heartbeat = /^still running after .*\n/gm
    const unsaved = /^The record for a re-run may not have been saved: .*\n/gm
    expect(
      transcribe(
        step,
        [heartbeat, unsaved].map((line) => [line, '']),
      ),
    ).toMatchSnapshot()
  })

  itWithSignals('when the step is cancelled', async () => {
    await using sandbox = await openSandbox()
    await using cacheService = await openCacheService()
    await using running = startAction({
      sandbox,
      cacheService,
      env: patiently,
      ...endless,
      inputs: { ...oneCheck, timeout: '2h' },
    })
    await until(() => requestsOf(sandbox, 'status').length > 0)
    running.signal('SIGINT')
    expect(transcribe(await running.result)).toMatchSnapshot()
  })
})

describe('a run that did not clearly start', () => {
  it('because the inputs are wrong', async () => {
    await using sandbox = await openSandbox()
    const inputs = {
      'base-url': 'http://automations.example.com',
      seed: '{\n  "month": 3,\n}',
      'webhook-headers': 'Authorization Bearer abc',
      timeout: '10x',
      'fail-on': 'errors',
    }
    await using step = await runAction({ sandbox, inputs })
    expect(transcribe(step)).toMatchSnapshot()
  })

  it('because the credentials are refused', async () => {
    await using sandbox = await openSandbox()
    await using step = await runAction({ sandbox, inputs: { 'api-token': 'of-somebody-else' } })
    expect(transcribe(step)).toMatchSnapshot()
  })

  it('or may have started, because the answer was lost', async () => {
    await using sandbox = await openSandbox()
    await using cacheService = await openCacheService()
    sandbox.faults.inject({ on: 'start', fault: 'half-answer', accepted: true })
    await using step = await runAction({ sandbox, cacheService, env: patiently })
    expect(transcribe(step)).toMatchSnapshot()
  })
})
