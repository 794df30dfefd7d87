/** Tests files of a batch that can no longer be written when the batch ends. */
import { mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { Sandbox } from '../../sandbox/service/sandbox.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { annotationsOf, theError } from './support/facts.ts'
import { openGatedBatch, warningsOf } from './support/gated-batch.ts'
import { within } from './support/until.ts'

/** The outputs that name a file about all runs, and the names of the files. */
const files = new Map([
  ['results-file', 'results.jsonl'],
  ['failed-seeds-file', 'failed-seeds.jsonl'],
  ['junit-file', 'junit.xml'],
])
const all = [...files.keys()]

/** Runs a batch of two. While the second run waits, puts folders in the way of these files. */
async function runSpoiled(
  spoiled: readonly string[],
  meanwhile: (sandbox: Sandbox) => void = () => undefined,
) {
  await using temp = await makeTemporaryFolder()
  await using batch = await openGatedBatch(2, 1)
  await using running = batch.run.begin(1, { ...batch.scenario(), temp: temp.path })
  await batch.reachHalf(running)
  const own = (await readdir(temp.path)).find((name) => /^run-automation-\w{6}$/.test(name)) ?? ''
  for (const output of spoiled) {
    await mkdir(path.join(temp.path, own, 'runs', files.get(output) ?? ''))
  }
  meanwhile(batch.run.sandbox)
  await batch.openGate()
  const step = await within(running.result)
  await using again = await batch.run.attempt(2, batch.scenario())
  const written: string[] = []
  for (const output of all) {
    const text = await readFile(step.outputs[output] ?? '', 'utf8').catch(() => undefined)
    if (text !== undefined) written.push(output)
  }
  return { step, written, again, starts: batch.run.starts }
}

describe('a batch whose runs succeeded fails, and one annotation names the file', () => {
  it.each(all)('if %s cannot be written; all other files are written', async (output) => {
    const { step, written, again, starts } = await runSpoiled([output])

    expect([step.exitCode, step.outputs['conclusion'], step.outputs['succeeded']]).toEqual([
      1,
      'success',
      '2',
    ])
    expect(theError(step)).toMatchObject({
      title: 'gated has finished, but the outputs could not be written',
      message: expect.stringMatching(new RegExp(`^${output} could not be written: .+`)),
    })
    expect(annotationsOf(step, 'warning')).toEqual([])
    expect(written).toEqual(all.filter((other) => other !== output))
    expect(step.summary).toContain(`${output} could not be written`)
    // A re-run writes the files, and starts no run.
    expect([again.exitCode, again.outputs['resumed'], starts]).toEqual([0, 'true', 2])
  })
})

describe('a batch that fails anyway', () => {
  it('has a warning for each file that could not be written, beside its one error', async () => {
    const { step, written } = await runSpoiled(['results-file', 'junit-file'], (sandbox) => {
      sandbox.stop(sandbox.executions.at(-1)?.id ?? '')
    })

    expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'failure'])
    expect(theError(step).title).toBe('gated: 1 of 2 runs failed')
    expect(warningsOf(step)).toEqual([
      expect.stringMatching(/^The output results-file was not set: /),
      expect.stringMatching(/^The output junit-file was not set: /),
    ])
    expect(written).toEqual(['failed-seeds-file'])
  })
})
