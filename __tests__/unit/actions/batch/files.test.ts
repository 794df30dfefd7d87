/** Tests the files about all runs of a batch, and how much of each run's files they include. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { writeBatchFiles } from '../../../../src/actions/batch/files.ts'
import { RunFolders } from '../../../../src/actions/batch/run-folders.ts'
import type { RunRecord } from '../../../../src/execution/batch/batch.ts'
import { showRun } from '../../../../src/messages/batch/runs.ts'
import { batchReportOf, runRecords } from '../../../support/batch-records.ts'
import { batchInputsOf } from '../../../support/batch-inputs.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { recordedStep } from '../recorded-step.ts'

const kib = 1024
const mib = 1024 * kib
const json = (size: number) => `"${'x'.repeat(size - 2)}"`

/** Writes the files about these runs, and returns them. `texts`: the runs' own files, by name. */
async function write(
  texts: Readonly<Record<string, string>>,
  runs: readonly Partial<RunRecord>[],
  cancelled?: AbortSignal,
  resultsFolder = '',
) {
  await using base = await makeTemporaryFolder()
  const folder = path.join(base.path, 'runs')
  await mkdir(folder)
  // These folders prevent two copies.
  for (const name of ['b.txt', 'd.txt'])
    await mkdir(path.join(base.path, 'out', name), { recursive: true })
  for (const [name, text] of Object.entries(texts)) await writeFile(path.join(folder, name), text)
  const records = runRecords(runs)
  const show = (text: string) => text
  const report = batchReportOf(records)
  const batch = { report, runs: records.map((record) => showRun(record, show)) }
  const environment = { GITHUB_WORKSPACE: base.path }
  const { step, printed } = recordedStep({ environment, ...(cancelled && { cancelled }) })
  const folders = new RunFolders(folder, show)
  const inputs = await batchInputsOf()
  const publishing = {
    ...inputs.publishing,
    ...(resultsFolder && { resultsFolder: path.join(base.path, resultsFolder) }),
  }
  const { lost } = await writeBatchFiles(batch, { ...inputs, publishing }, folders, step)
  const copies = await readdir(path.join(base.path, resultsFolder))
  const read = (name: string) => readFile(path.join(folder, name), 'utf8').catch(() => '')
  const [results, junit] = [await read('results.jsonl'), await read('junit.xml')]
  return { lost, results, junit, copies, printed }
}

describe('results.jsonl', () => {
  it('has results of at most 1 MiB, 64 MiB in all', async () => {
    const texts = { 'large.json': json(mib + 1), 'whole.json': json(mib) }
    const runs = ['large.json', ...Array<string>(66).fill('whole.json')]
    const { results } = await write(
      texts,
      runs.map((resultFile) => ({ resultFile })),
    )
    const lines = results.trimEnd().split('\n')

    expect(lines.map((line) => line.includes(',"result":'))).toEqual([
      false,
      ...Array<boolean>(64).fill(true),
      ...[false, false],
    ])
  })

  it('is the only file after a cancellation, with the ids and without any result', async () => {
    const runs = [{ resultFile: 'whole.json' }, {}]
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
    const failed = Array<Partial<RunRecord>>(1_300).fill({
      conclusion: 'error',
      logFile: 'run.log',
    })
    const runs = [{ logFile: 'run.log' }, ...failed]
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

it('results-folder gets every copy that can be written, and the others are reported', async () => {
  const texts = { 'a.txt': '1', 'b.txt': '2', 'c.txt': '3', 'd.txt': '4' }
  const { lost, copies, printed } = await write(texts, [{}], undefined, 'out')

  expect(copies).toEqual(expect.arrayContaining(['a.txt', 'c.txt', 'results.jsonl', 'junit.xml']))
  expect(lost).toEqual([
    {
      input: 'results-folder',
      why: expect.stringMatching(/b\.txt: it is a folder; .*d\.txt: it is/),
    },
  ])
  expect(printed.filter((line) => line.startsWith('Not copied (results-folder): '))).toHaveLength(2)
})
