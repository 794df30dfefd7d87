/** Tests paths that are writable when the batch begins, and no longer writable when it ends. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { StepResult } from '../../sandbox/runner/runner.ts'
import type { Sandbox } from '../../sandbox/service/sandbox.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { linesIn } from './support/batch.ts'
import { annotationsOf, theError } from './support/facts.ts'
import { openGatedBatch, warningsOf } from './support/gated-batch.ts'
import { within } from './support/until.ts'

interface Places {
  workspace: string
  /** The batch's own folder. */
  folder: string
  sandbox: Sandbox
}

/** Runs a batch of two. The second run waits until `spoil` is done. */
async function runSpoiled(spoil: (places: Places) => Promise<unknown>) {
  await using home = await makeTemporaryFolder()
  const [workspace, temp] = [path.join(home.path, 'workspace'), path.join(home.path, 'temp')]
  await mkdir(workspace)
  await using batch = await openGatedBatch(2, 1)
  const targets = { 'junit-file': 'reports/junit.xml', 'results-folder': 'out' }
  const scenario = { ...batch.scenario(targets), workspace, temp }
  await using running = batch.run.begin(1, scenario)
  await batch.reachHalf(running)
  const own = (await readdir(temp)).find((name) => /^run-automation-\w{6}$/.test(name)) ?? ''
  const { sandbox } = batch.run
  await spoil({ workspace, folder: path.join(temp, own, 'runs'), sandbox })
  await batch.openGate()
  const step = await within(running.result)
  return { step, written: await filesIn(step, workspace) }
}

/** Returns which files about all runs exist, and how many lines the results file has. */
async function filesIn({ outputs }: StepResult, workspace: string) {
  const read = (file: string) => readFile(file, 'utf8').catch(() => '')
  const copies = await readdir(path.join(workspace, 'out')).catch((): string[] => [])
  return {
    results: linesIn(await read(outputs['results-file'] ?? '')).length,
    failedSeeds: (outputs['failed-seeds-file'] ?? '') !== '',
    junit: (await read(path.join(workspace, 'reports', 'junit.xml'))) !== '',
    copies: copies.includes('2'),
  }
}

const all = { results: 2, failedSeeds: true, junit: true, copies: true }

describe('a batch whose runs succeeded fails, and one annotation names the file', () => {
  it.each<[string, (places: Places) => Promise<unknown>, Partial<typeof all>]>([
    [
      'junit-file',
      ({ workspace }) => writeFile(path.join(workspace, 'reports'), ''),
      { junit: false },
    ],
    [
      'results-folder',
      ({ workspace }) => writeFile(path.join(workspace, 'out'), ''),
      { copies: false },
    ],
    ['results-file', ({ folder }) => mkdir(path.join(folder, 'results.jsonl')), { results: 0 }],
    [
      'failed-seeds-file',
      ({ folder }) => mkdir(path.join(folder, 'failed-seeds.jsonl')),
      { failedSeeds: false },
    ],
  ])('if %s became unwritable; all other files are written', async (input, spoil, lost) => {
    const { step, written } = await runSpoiled(spoil)

    expect([step.exitCode, step.outputs['conclusion'], step.outputs['succeeded']]).toEqual([
      1,
      'success',
      '2',
    ])
    expect(theError(step)).toMatchObject({
      title: 'gated has finished, but a copy could not be written',
      message: expect.stringMatching(new RegExp(`^${input} could not be written: .+`)),
    })
    expect(annotationsOf(step, 'warning')).toEqual([])
    expect(written).toEqual({ ...all, ...lost })
    expect(step.summary).toContain(`${input} could not be written`)
  })
})

describe('a batch that fails anyway', () => {
  it('has a warning for each file that could not be written, beside its one error', async () => {
    const spoil = async ({ workspace, sandbox }: Places) => {
      sandbox.stop(sandbox.executions.at(-1)?.id ?? '')
      await writeFile(path.join(workspace, 'reports'), '')
      await writeFile(path.join(workspace, 'out'), '')
    }
    const { step, written } = await runSpoiled(spoil)

    expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'failure'])
    expect(theError(step).title).toBe('gated: 1 of 2 runs failed')
    expect(warningsOf(step)).toEqual([
      expect.stringMatching(/^junit-file: the file could not be written \(/),
      expect.stringMatching(/^results-folder: the file could not be written \(/),
    ])
    expect(written).toEqual({ ...all, junit: false, copies: false })
  })
})
