import { describe, expect, it } from '@jest/globals'
import type { CacheProtocol } from '../../sandbox/runner/cache-calls.ts'
import { openGatedBatch, warningsOf } from './support/gated-batch.ts'
import { runPastTimeout } from './support/past-timeout.ts'
import { until, within } from './support/until.ts'
import { firstLine, recordsIn } from './support/workflow-run.ts'

// Windows has no signals: there the runner ends the process outright.
const itWithSignals = process.platform === 'win32' ? it.skip : it
const size = 4
const reuse = { 'on-rerun': 'reuse' }
const unread = 'What an earlier attempt of this job started could not be read: '
const unsaved = 'A re-run of this job would not know what this step started.'

/** A batch whose first attempt succeeded, and left a journal. */
async function openSucceeded(protocol: CacheProtocol = 'v2') {
  const batch = await openGatedBatch(size, size, protocol)
  await batch.openGate()
  await using first = await batch.run.attempt(1, batch.scenario(reuse))
  expect([first.exitCode, recordsIn(batch.run.cache).length]).toEqual([0, 1])
  batch.run.cache.requests.length = 0
  return batch
}

describe('the journal of a batch', () => {
  // v1: GitHub Enterprise Server, and act.
  it.each(['v2', 'v1'] as const)('is kept in a cache %s', async (protocol) => {
    await using batch = await openSucceeded(protocol)
    await using step = await batch.run.attempt(2, batch.scenario(reuse))

    expect([step.exitCode, batch.run.starts, step.outputs['resumed']]).toEqual([0, size, 'true'])
    expect(firstLine(step)).toBe(
      'Attempt 1 left a record of this step; of its 4 runs 4 succeeded and are kept',
    )
    expect([step.outputs['succeeded'], warningsOf(step)]).toEqual(['4', []])
  })
})

describe('a batch whose journal', () => {
  it('is no archive starts all, with a warning', async () => {
    await using batch = await openSucceeded()
    for (const { content } of batch.run.cache.entries) content.fill(0)
    await using step = await batch.run.attempt(2, batch.scenario(reuse))

    expect([step.exitCode, batch.run.starts]).toEqual([0, 2 * size])
    expect(warningsOf(step)).toEqual([expect.stringContaining(unread)])
  })

  it.each(['look-up', 'blob'] as const)('hangs (%s) starts all after 30 s', async (on) => {
    await using batch = await openSucceeded()
    const { run } = batch
    run.cache.inject({ on, fault: 'stall', times: 1 })
    const asked = () => until(() => run.cache.requests.some(({ call }) => call === on))
    await using step = await runPastTimeout(run.scenario(2, batch.scenario(reuse)), asked, 30_000)

    expect([step.exitCode, run.starts, step.outputs['resumed']]).toEqual([0, 2 * size, 'false'])
    expect(warningsOf(step)).toEqual([
      expect.stringMatching(`${unread}the cache did not finish within 3\\d(\\.\\d)? s`),
    ])
  })

  it('may not be written leaves a line in the log, once', async () => {
    await using batch = await openSucceeded()
    batch.run.cache.access = 'read'
    await using step = await batch.run.attempt(2, batch.scenario({ 'on-rerun': 'start' }))

    expect([step.exitCode, warningsOf(step)]).toEqual([0, []])
    const denied = `This job may not write to the cache (cache write denied: token has no writable scopes). ${unsaved}`
    expect(step.log.split(denied)).toHaveLength(2)
  })

  it('has no cache is told of where it is missed', async () => {
    await using batch = await openGatedBatch(size)
    await batch.openGate()
    const env = { ACTIONS_CACHE_SERVICE_V2: '', ACTIONS_CACHE_URL: '' }
    await using first = await batch.run.attempt(1, { ...batch.scenario(), env })
    await using step = await batch.run.attempt(2, { ...batch.scenario(), env })

    expect([first.exitCode, first.log.includes(unsaved)]).toEqual([0, false])
    expect([step.exitCode, step.log.split(unsaved).length]).toEqual([0, 2])
    expect(warningsOf(step)).toEqual([
      expect.stringContaining(`${unread}this runner offers no cache`),
    ])
  })

  itWithSignals('cannot be saved holds a cancelled step for no more than 3 s', async () => {
    await using batch = await openGatedBatch(size)
    const { run } = batch
    run.cache.inject({ on: 'create', fault: 'stall' })
    const env = { CLOCK_PATIENCE: '1' }
    await using running = run.begin(1, { ...batch.scenario(), env })
    await within(running.waitForLine(/Run 4: execution/))
    running.signal('SIGINT')
    const step = await within(running.result)

    expect([step.signal, step.outputs['conclusion']]).toEqual([null, 'cancelled'])
    expect(step.log).toMatch(/may not have been saved: the cache did not finish within 3(\.\d)? s/)
  })
})
