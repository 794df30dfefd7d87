import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import type { RunningStep, StepResult } from '../../sandbox/runner/runner.ts'
import { linesIn } from './support/batch.ts'
import { theError } from './support/facts.ts'
import { openGatedBatch, warningsOf, type GatedBatch } from './support/gated-batch.ts'
import { runPastTimeout } from './support/past-timeout.ts'
import { until, within } from './support/until.ts'
import { firstLine, recordsIn } from './support/workflow-run.ts'
import { describeWithSignals } from './support/with-signals.ts'

const size = 12
// A batch makes at most five checks per second, so the two attempts take half a minute.
const large = { size: 100, patience: 300_000 }
// Milliseconds until the first save of a batch that is still running.
const firstSave = 20_000

/** Runs the first attempt to its half, awaits its first save and `meanwhile`, and kills it. */
async function dieAtHalf(
  batch: GatedBatch,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Promise<StepResult> {
  let kill: () => void
  const reached = async (step: RunningStep) => {
    kill = () => step.signal('SIGKILL')
    await batch.reachHalf(step)
  }
  return runPastTimeout(batch.run.scenario(1, batch.scenario()), reached, firstSave, async () => {
    await until(() => recordsIn(batch.run.cache).length > 0)
    await meanwhile()
    kill()
  })
}

async function resultsOf(step: StepResult) {
  return linesIn(await readFile(step.outputs['results-file'] ?? '', 'utf8'))
}

describeWithSignals('a batch that was cancelled at its half and runs again', () => {
  it('starts only the runs that were not started, and publishes the files of all runs', async () => {
    await using batch = await openGatedBatch(size)
    const { run, half, parallel } = batch
    await using running = run.begin(1, batch.scenario({ 'upload-artifact': 'true' }))
    await batch.reachHalf(running)
    running.signal('SIGINT')
    const first = await within(running.result)
    expect(first.outputs).toMatchObject({ conclusion: 'cancelled', resumed: 'false' })
    expect([first.exitCode, first.signal, run.starts]).toEqual([1, null, half + parallel])
    expect([first.artifacts, (await resultsOf(first)).length]).toEqual([[], size])
    const texts = [first.log, first.summary, JSON.stringify(await resultsOf(first))]
    for (const { id } of run.sandbox.executions) {
      expect(texts.filter((text) => !text.includes(id))).toEqual([])
    }
    expect(theError(first).title).toMatch(/^gated: this step was cancelled \(/)
    const between = new Date().toISOString()
    await batch.openGate()
    await using step = await run.attempt(2, batch.scenario())

    expect(firstLine(step)).toBe(
      `Attempt 1 saved a record of this step. This attempt has ${size} runs: ${half} succeeded (kept), ${parallel} may still be running (taken over), ${size - half - parallel} to start`,
    )
    expect([step.exitCode, run.starts, warningsOf(step)]).toEqual([0, size, []])
    expect(step.outputs).toMatchObject({
      conclusion: 'success',
      succeeded: String(size),
      resumed: 'true',
    })
    const numbers = Array.from({ length: size }, (_, number) => ({ result: { number } }))
    const rows = (await resultsOf(step)) as { finished_at: string }[]
    expect(rows).toMatchObject(numbers)
    // A success that is kept has its own times.
    expect(rows.filter(({ finished_at }) => finished_at < between)).toHaveLength(half)
    const folder = step.outputs['folder'] ?? ''
    for (const { result } of numbers) {
      const log = await readFile(path.join(folder, String(result.number + 1), 'run.log'), 'utf8')
      expect(log).toBe(`number ${result.number}\n`)
    }
  })
})

describeWithSignals('a batch whose runner died at its half and that runs again', () => {
  const doubted = [expect.stringContaining('Some runs may have been started before')]

  it(
    'starts 100 executions for 100 seeds if its last save has all starts',
    async () => {
      const { size } = large
      await using batch = await openGatedBatch(size)
      const { run, half, parallel } = batch
      await using first = await dieAtHalf(batch)
      expect([first.signal, first.outputs['conclusion']]).toEqual(['SIGKILL', undefined])
      expect(run.starts).toBe(half + parallel)
      await batch.openGate()
      await using step = await run.attempt(2, batch.scenario())

      expect([step.exitCode, run.starts]).toEqual([0, size])
      expect(step.outputs).toMatchObject({ succeeded: String(size), resumed: 'true' })
      const seeds = run.sandbox.executions.map(({ seedText }) => seedText)
      expect([seeds.length, new Set(seeds).size]).toEqual([size, size])
      expect(warningsOf(step)).toEqual(doubted)
    },
    large.patience,
  )

  it('warns that runs may have been started after its last save', async () => {
    await using batch = await openGatedBatch(size)
    const { run, half, parallel } = batch
    const unsaved = 2
    await using first = await dieAtHalf(batch, async () => {
      await batch.openGate()
      await until(() => run.starts >= half + parallel + unsaved)
    })
    const started = run.starts
    await using step = await run.attempt(2, batch.scenario())

    expect([first.signal, step.exitCode]).toEqual(['SIGKILL', 0])
    expect(run.starts).toBe(started + size - half - parallel)
    expect(warningsOf(step)).toEqual(doubted)
  })
})
