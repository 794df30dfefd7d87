/** Tests the files about all runs of a batch, and how much of each run's files they include. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { writeBatchFiles } from '../../../../src/actions/batch/batch-files.ts'
import { RunFolders } from '../../../../src/actions/batch/run-folders.ts'
import { batchReportOf, type GivenRow } from '../../../support/batch-rows.ts'
import { batchInputsOf } from '../../../support/batch-inputs.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { recordedStep } from '../recorded-step.ts'

const kib = 1024
const mib = 1024 * kib
const json = (size: number) => `"${'x'.repeat(size - 2)}"`

/** Writes the files about these runs, and returns them. `texts`: the runs' own files, by name. */
async function write(
  texts: Readonly<Record<string, string>>,
  runs: readonly GivenRow[],
  cancelled?: AbortSignal,
) {
  await using base = await makeTemporaryFolder()
  const folder = path.join(base.path, 'runs')
  await mkdir(folder)
  for (const [name, text] of Object.entries(texts)) await writeFile(path.join(folder, name), text)
  const show = (text: string) => text
  const { step } = recordedStep(cancelled && { cancelled })
  const folders = new RunFolders(base.path, show)
  const { lost } = await writeBatchFiles(batchReportOf(runs), await batchInputsOf(), folders, step)
  const read = (name: string) => readFile(path.join(folder, name), 'utf8').catch(() => '')
  const [results, junit] = [await read('results.jsonl'), await read('junit.xml')]
  return { lost, results, junit }
}

describe('results.jsonl', () => {
  it('has results of at most 1 MiB, 64 MiB in all', async () => {
    const texts = { 'large.json': json(mib + 1), 'whole.json': json(mib) }
    const runs = ['large.json', ...Array<string>(66).fill('whole.json')]
    const { results } = await write(
      texts,
      runs.map((name) => ({ result_file: name })),
    )
    const lines = results.trimEnd().split('\n')

    expect(lines.map((line) => line.includes(',"result":'))).toEqual([
      false,
      ...Array<boolean>(64).fill(true),
      ...[false, false],
    ])
  })

  it('is the only file after a cancellation, with the ids and without any result', async () => {
    const runs = [{ result_file: 'whole.json' }, {}]
    const { results, junit, lost } = await write({ 'whole.json': '{}' }, runs, AbortSignal.abort())
    const lines = results.trimEnd().split('\n')

    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { execution_id: 'id-1' },
      { execution_id: 'id-2' },
    ])
    expect([results.includes('"result":'), junit, lost]).toEqual([false, '', []])
  })
})

describe('junit.xml', () => {
  it('has the last 8 KiB of the log of each run that did not succeed, 10 MiB in all', async () => {
    const line = `${'x'.repeat(63)}\n`
    const failed = Array<GivenRow>(1_300).fill({
      conclusion: 'error',
      log_file: 'run.log',
    })
    const runs = [{ log_file: 'run.log' }, ...failed]
    const { junit } = await write({ 'run.log': line.repeat(200) }, runs)
    const found = junit.matchAll(/<system-out>([^<]*)<\/system-out>/g)
    const sizes = Array.from(found, ([, log = '']) => log.length)
    const size = sizes.reduce((sum, each) => sum + each, 0)

    expect(Math.max(...sizes)).toBeLessThanOrEqual(8 * kib)
    expect(sizes[0]).toBeGreaterThan(8 * kib - 2 * line.length)
    expect(size).toBeLessThanOrEqual(10 * mib)
    expect(size).toBeGreaterThan(10 * mib - 8 * kib)
    // The first three lines are the heading and the elements of suites and suite.
    expect(junit.split('\n')[3]).toMatch(/^<testcase name="Run 1" [^>]*><\/testcase>$/)
  })
})
