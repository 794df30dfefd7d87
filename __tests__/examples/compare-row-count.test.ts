import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { runExampleStep } from '../support/example-step.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

/** `committed`: how many rows the file in the repository has; undefined: it is not there. */
async function compare(rows: number, committed: number | undefined) {
  await using folder = await makeTemporaryFolder()
  const list = (length: number) => JSON.stringify(Array.from({ length }, (_, row) => ({ row })))
  const result = path.join(folder.path, 'result.json')
  await writeFile(result, list(rows))
  await mkdir(path.join(folder.path, 'data'))
  if (committed !== undefined) {
    await writeFile(path.join(folder.path, 'data', 'series.json'), list(committed))
  }
  return await runExampleStep({
    file: 'compare-row-count.yml',
    name: 'Compare the numbers of rows',
    folder: folder.path,
    env: { RESULT_FILE: result },
  })
}

const onUnix = process.platform === 'win32' ? describe.skip : describe
onUnix('a result compared with the committed one', () => {
  it.each([
    ['as many rows', 100, 100],
    ['a tenth fewer', 90, 100],
    ['the first result', 5, undefined],
  ])('is accepted: %s', async (_, rows, committed) => {
    expect(await compare(rows, committed)).toMatchObject({ exitCode: 0 })
  })

  it.each([
    ['more than a tenth is missing', 89, 100],
    ['nothing is left', 0, 20],
  ])('is refused: %s', async (_, rows, committed) => {
    const { exitCode, printed } = await compare(rows, committed)
    expect(exitCode).toBe(1)
    expect(printed).toContain(`::error::The result has ${rows} rows, and the committed one has`)
  })
})
