/** What the service says now counts, not what the record of an earlier attempt says of it. */
import { expect, it } from '@jest/globals'
import type { ScriptedStatus } from '../../sandbox/service/status-record.ts'
import { theError } from './support/facts.ts'
import { openGatedBatch, type GatedBatch } from './support/gated-batch.ts'
import { within } from './support/until.ts'
import { firstLine, idOf } from './support/workflow-run.ts'
import { describeWithSignals } from './support/with-signals.ts'

interface Row {
  execution_id?: string
  attempts?: number
}

/** A batch of one slot, cancelled while the run after its first half goes on. */
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

describeWithSignals('a run that the record has as a success, of two', () => {
  const kept = 'of its 2 runs 1 succeeded and is kept, 1 may still be running and is taken over'
  const gone = { result_url: null, logs_url: null }

  it.each<[string, ScriptedStatus[], number]>([
    ['has failed by now: it is started anew', [{ finished: true, error: true }], 1],
    ['is not over: it is waited for', [{}, {}, { finished: true }], 0],
  ])('%s', async (_, course, starts) => {
    await using batch = await openCancelled(2)
    const { run } = batch
    run.sandbox.script(idOf(run, 0), course)
    await using step = await run.attempt(2, batch.scenario())
    expect(firstLine(step)).toContain(kept)
    expect([step.exitCode, step.outputs['succeeded'], run.starts]).toEqual([0, '2', starts])
    const [{ execution_id, attempts } = {}] = JSON.parse(step.outputs['results'] ?? '') as Row[]
    expect([execution_id, attempts]).toEqual([idOf(run, starts === 0 ? 0 : 2), starts + 1])
  })

  it('has no result any more: it is lost, and the step fails', async () => {
    await using batch = await openCancelled(2)
    const { run } = batch
    run.sandbox.script(idOf(run, 0), [{ finished: true, ...gone }])
    await using step = await run.attempt(2, batch.scenario())
    expect([step.exitCode, step.outputs['succeeded'], run.starts]).toEqual([1, '2', 0])
    expect(theError(step).title).toBe('gated: results of 1 of 2 runs missing')
  })
})

it('an empty list in between says nothing of runs, and forgets none', async () => {
  await using batch = await openCancelled(2)
  const { run } = batch
  await using empty = await run.attempt(2, batch.scenario({ seeds: '[]' }))
  expect([empty.exitCode, empty.outputs['total']]).toEqual([0, '0'])
  await using step = await run.attempt(3, batch.scenario())
  expect(firstLine(step)).toContain(
    'Attempt 1 left a record of this step; of its 2 runs 1 succeeded',
  )
  expect([step.exitCode, step.outputs['succeeded'], run.starts]).toEqual([0, '2', 0])
})
