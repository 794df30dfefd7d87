import { mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { openArtifactService } from '../../sandbox/runner/artifact-service.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { openGatedBatch } from './support/gated-batch.ts'
import { until, within } from './support/until.ts'
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

describe('a batch whose runs all succeeded, and whose step failed, starts none of them again', () => {
  it('after a file of the batch could not be written', async () => {
    await using batch = await openGatedBatch(size, 2)
    await using temp = await makeTemporaryFolder()
    const { run } = batch
    await using running = run.begin(1, { ...batch.scenario(), temp: temp.path })
    await batch.reachHalf(running)
    const own = (await readdir(temp.path)).find((name) => /^run-automation-\w{6}$/.test(name)) ?? ''
    await mkdir(path.join(temp.path, own, 'runs', 'junit.xml'))
    await batch.openGate()
    await using first = await within(running.result)
    await using step = await run.attempt(2, batch.scenario())

    expect([first.exitCode, first.outputs['succeeded']]).toEqual([1, String(size)])
    expect([step.exitCode, run.starts]).toEqual([0, size])
    expect(step.outputs['junit-file']).toMatch(/junit\.xml$/)
  })

  itWithSignals('after the step was cancelled while it uploaded', async () => {
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
  })
})
