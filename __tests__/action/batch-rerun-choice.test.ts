import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { openArtifactService } from '../../sandbox/runner/artifact-service.ts'
import { openGatedBatch } from './support/gated-batch.ts'
import { until, within } from './support/until.ts'
import { firstLine } from './support/workflow-run.ts'
import { itWithSignals } from './support/with-signals.ts'

const size = 6
const reuse = { 'on-rerun': 'reuse' }

describe('a batch that succeeded and runs again', () => {
  it('keeps all runs with on-rerun: reuse, and fetches their files again', async () => {
    await using batch = await openGatedBatch(size)
    const { run } = batch
    await batch.openGate()
    await using first = await run.attempt(1, batch.scenario(reuse))
    await using step = await run.attempt(2, batch.scenario(reuse))

    expect([first.exitCode, step.exitCode, run.starts]).toEqual([0, 0, size])
    expect(step.outputs).toMatchObject({ succeeded: String(size), resumed: 'true' })
    expect(step.outputs['folder']).not.toBe(first.outputs['folder'])
    const log = path.join(step.outputs['folder'] ?? '', String(size), 'run.log')
    expect(await readFile(log, 'utf8')).toBe(`number ${size - 1}\n`)
  })
})

itWithSignals(
  'a batch that succeeded, and was cancelled while it uploaded, starts no run again',
  async () => {
    await using batch = await openGatedBatch(size)
    await using artifactService = await openArtifactService()
    const { run } = batch
    const inputs = { 'upload-artifact': 'true' }
    artifactService.inject({ on: 'create', fault: 'stall', times: 1 })
    await batch.openGate()
    await using running = run.begin(1, { ...batch.scenario(inputs), artifactService })
    await until(() => artifactService.requests.length > 0)
    running.signal('SIGINT')
    await using first = await within(running.result)
    await using step = await run.attempt(2, { ...batch.scenario(inputs), artifactService })

    expect([first.exitCode, first.outputs['conclusion']]).toEqual([1, 'success'])
    expect([step.exitCode, run.starts, step.outputs['resumed']]).toEqual([0, size, 'true'])
  },
)

itWithSignals('an attempt with an empty list keeps the record of earlier runs', async () => {
  await using batch = await openGatedBatch(2, 1)
  const { run } = batch
  await using running = run.begin(1, batch.scenario())
  await batch.reachHalf(running)
  running.signal('SIGINT')
  expect((await within(running.result)).outputs['conclusion']).toBe('cancelled')
  await batch.openGate()
  await using empty = await run.attempt(2, batch.scenario({ seeds: '[]' }))
  expect([empty.exitCode, empty.outputs['total']]).toEqual([0, '0'])
  await using step = await run.attempt(3, batch.scenario())
  expect(firstLine(step)).toContain(
    'Attempt 1 saved a record of this step. This attempt has 2 runs: 1 succeeded',
  )
  expect([step.exitCode, step.outputs['succeeded'], run.starts]).toEqual([0, '2', 2])
})
