/** Transcripts of batches. The snapshots beside this file contain them. */
import { describe, expect, it } from '@jest/globals'
import type { StepResult } from '../../sandbox/runner/runner.ts'
import { openCacheService } from '../../sandbox/runner/cache-service.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeAutomations } from '../action/support/automations.ts'
import { cities, seedsOf } from '../action/support/batch.ts'
import { openGatedBatch } from '../action/support/gated-batch.ts'
import { patiently } from '../action/support/past-timeout.ts'
import { runAction, startAction } from '../action/support/run-action.ts'
import { itWithSignals } from '../action/support/with-signals.ts'
import { transcribe, Transcript } from './support/transcript.ts'

const action = 'batch'
const automation = 'cities'
/** The runs follow one another, so that the order of the log is always the same. */
const inTurn = { 'max-parallel': '1', label: 'city' }
const endless = { seeds: '[{"seconds":600},{"seconds":600},{"seconds":600}]', 'max-parallel': '1' }

/**
 * Sorts neighbouring lines of runs by their numbers, because a slot is free before the files of its
 * last run have been fetched. Leaves out when each run started, and how long it took.
 */
function transcribeBatch(step: StepResult): Transcript {
  const unsaved = /^The record for a re-run may not have been saved: .*\n/gm
  const { text } = transcribe(
    step,
    [/^After .*: \d+ of \d+ finished.*\n/gm, unsaved].map((line) => [line, '']),
  )
  const numberOf = (line: string) => Number(/^Run (\d+)/.exec(line)?.[1])
  return new Transcript(
    text
      .replaceAll(/(?:^Run \d+.*\n)+/gm, (lines) => {
        const sorted = lines.trimEnd().split('\n')
        sorted.sort((one, other) => numberOf(one) - numberOf(other))
        return `${sorted.join('\n')}\n`
      })
      .replaceAll(/(?<=^ {4}\d+ [a-z-]+ :\w+, )\d+, \d+ms$/gm, '<begin>, <span>')
      .replaceAll(/axisFormat .*/g, 'axisFormat <format>')
      .replaceAll(/(?<=<td align="right">)[\d.]+ (?:s|min|h)[^<]*(?=<)/g, '<time>')
      .replaceAll(/[^\s("]+[\\/]cities\.ts/g, 'automations/cities.ts'),
  )
}

async function runCities(inputs: Record<string, string>, env = {}): Promise<StepResult> {
  await using automations = await makeAutomations(cities)
  await using sandbox = await openSandbox({ automations: automations.folder })
  await using cacheService = await openCacheService()
  const all = { ...inTurn, ...inputs }
  const kept = { cacheService, env: { ...patiently, ...env } }
  return await runAction({ sandbox, action, automation, inputs: all, ...kept })
}

describe('a batch that ends', () => {
  it('with all runs succeeded', async () => {
    const inputs = { seeds: seedsOf('Bern', 'Rome'), 'upload-artifact': 'true' }
    await using step = await runCities(inputs)
    expect(transcribeBatch(step)).toMatchSnapshot()
  })

  it('with some runs failed', async () => {
    // The README has a picture of this summary.
    const seeds = seedsOf('Bern', 'Rome', 'Xanadu', 'Oslo', 'Lima', 'Cairo')
    await using step = await runCities({ seeds, 'upload-artifact': 'true' })
    expect(transcribeBatch(step)).toMatchSnapshot()
  })

  it('with nothing to run', async () => {
    await using step = await runCities({ seeds: '[]' })
    expect(transcribeBatch(step)).toMatchSnapshot()
  })
})

describe('a batch that cannot start its runs', () => {
  it('because the credentials are refused', async () => {
    const inputs = { seeds: seedsOf('Bern', 'Rome'), 'api-token': 'of-somebody-else' }
    await using step = await runCities(inputs)
    expect(transcribeBatch(step)).toMatchSnapshot()
  })
})

describe('a batch that is cut off', () => {
  const scenario = { action, automation: 'slow-count' } as const

  itWithSignals('by a cancellation', async () => {
    await using sandbox = await openSandbox()
    await using cacheService = await openCacheService()
    const kept = { cacheService, env: patiently }
    const inputs = { ...endless, timeout: '1h' }
    await using running = startAction({ ...scenario, sandbox, ...kept, inputs })
    await running.waitForLine(/Run 1: execution/)
    running.signal('SIGINT')
    expect(transcribeBatch(await running.result)).toMatchSnapshot()
  })
})

describe('a batch in a job that runs again', () => {
  it('keeps successful runs, and starts the rest', async () => {
    await using batch = await openGatedBatch(3, 1)
    await batch.openGate()
    const { run } = batch
    run.sandbox.faults.inject({ on: 'start', skip: 2, fault: 'status', status: 400 })
    await using first = await run.attempt(1, batch.scenario())
    expect([first.exitCode, run.starts]).toEqual([1, 3])
    await using step = await run.attempt(2, batch.scenario())
    expect(transcribeBatch(step)).toMatchSnapshot()
  })
})
