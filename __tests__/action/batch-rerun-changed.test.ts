/** Tests that the service decides how a run ended, not the record of an earlier attempt. */
import { expect, it } from '@jest/globals'
import { openGatedBatch, type GatedBatch } from './support/gated-batch.ts'
import { within } from './support/until.ts'
import { firstLine, idOf } from './support/workflow-run.ts'
import { describeWithSignals } from './support/with-signals.ts'

interface Row {
  execution_id?: string
  execution_count?: number
}

/** Cancels a batch with one slot while the first run after its first half is still running. */
async function openCancelled(size: number): Promise<GatedBatch> {
  const batch = await openGatedBatch(size, 1)
  await using running = batch.run.begin(1, batch.scenario())
  await batch.reachHalf(running)
  running.signal('SIGINT')
  await using first = await within(running.result)
  expect([first.outputs['conclusion'], batch.run.starts]).toEqual(['cancelled', batch.half + 1])
  batch.run.sandbox.requests.length = 0
  await batch.openGate()
  return batch
}

describeWithSignals('a run that succeeded according to the record', () => {
  const kept = '2 runs: 1 succeeded (kept), 1 may still be running (taken over)'

  it('is started anew if the service now reports a failure', async () => {
    await using batch = await openCancelled(2)
    const { run } = batch
    run.sandbox.script(idOf(run, 0), [{ finished: true, error: true }])
    await using step = await run.attempt(2, batch.scenario())
    expect(firstLine(step)).toContain(kept)
    expect([step.exitCode, step.outputs['succeeded'], run.starts]).toEqual([0, '2', 1])
    const [{ execution_id, execution_count } = {}] = JSON.parse(
      step.outputs['results'] ?? '',
    ) as Row[]
    expect([execution_id, execution_count]).toEqual([idOf(run, 2), 2])
  })
})

it('an attempt with an empty list keeps the record of earlier runs', async () => {
  await using batch = await openCancelled(2)
  const { run } = batch
  await using empty = await run.attempt(2, batch.scenario({ seeds: '[]' }))
  expect([empty.exitCode, empty.outputs['total']]).toEqual([0, '0'])
  await using step = await run.attempt(3, batch.scenario())
  expect(firstLine(step)).toContain(
    'Attempt 1 saved a record of this step. This attempt has 2 runs: 1 succeeded',
  )
  expect([step.exitCode, step.outputs['succeeded'], run.starts]).toEqual([0, '2', 0])
})
