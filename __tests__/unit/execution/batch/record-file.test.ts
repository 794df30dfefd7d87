import { existsSync } from 'node:fs'
import { readFile, truncate } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { RunRecord } from '../../../../src/execution/batch/record.ts'
import { RecordFile } from '../../../../src/execution/batch/record-file.ts'
import { rejectionOf } from '../../../support/rejection.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

const recordOf = (index: number, cause = `cause ${index}`): RunRecord => ({
  index,
  label: `Zürich\n${index}`,
  executionId: `e${index}`,
  conclusion: 'error',
  cause,
  attempts: [{ executionId: `e${index}`, conclusion: 'error' }],
  resumed: false,
  startedAt: 1.5,
  endedAt: 2,
  failsStep: true,
  resultFile: undefined,
  logFile: `run-${index}/run.log`,
})

const long = 'ü'.repeat(500)

async function readAll(file: RecordFile): Promise<RunRecord[]> {
  const read: RunRecord[] = []
  for await (const record of file.read()) read.push(record)
  return read
}

// Linux has a file that takes nothing, like a disk that is full.
const fullDisk = '/dev/full'
const itWithFullDisk = existsSync(fullDisk) ? it : it.skip

describe('the records on the disk', () => {
  it('are read in the order of the seeds, whatever the order in which they came', async () => {
    await using folder = await makeTemporaryFolder()
    await using file = await RecordFile.create(path.join(folder.path, 'records'), 3)
    for (const position of [2, 0, 1]) await file.append(position, recordOf(position + 10))

    expect(await readAll(file)).toEqual([recordOf(10), recordOf(11), recordOf(12)])
    // And again: reading changes nothing.
    expect((await readAll(file)).map(({ index }) => index)).toEqual([10, 11, 12])
  })

  it('are written while they come, many at once, however large', async () => {
    await using folder = await makeTemporaryFolder()
    const at = path.join(folder.path, 'records')
    await using file = await RecordFile.create(at, 1_000)
    await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => file.append(index, recordOf(index, long))),
    )

    expect((await readFile(at)).length).toBeGreaterThan(1_000_000)
    expect(await readAll(file)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => recordOf(index, long)),
    )
  })

  it('are gathered, and then lie on the disk alone', async () => {
    await using folder = await makeTemporaryFolder()
    const at = path.join(folder.path, 'records')
    await using file = await RecordFile.create(at, 200)
    await file.append(0, recordOf(0))
    expect((await readFile(at)).length).toBe(0)
    for (let index = 1; index < 200; index += 1) await file.append(index, recordOf(index, long))
    expect((await readFile(at)).length).toBeGreaterThan(64 * 1024)

    await truncate(at)
    expect(await rejectionOf(readAll(file))).toBeInstanceOf(SyntaxError)
  })

  it('cannot be read any more when their file is closed', async () => {
    await using folder = await makeTemporaryFolder()
    const file = await RecordFile.create(path.join(folder.path, 'records'), 1)
    await file[Symbol.asyncDispose]()

    expect(await rejectionOf(readAll(file))).toMatchObject({ code: 'EBADF' })
  })

  it('leave out those that have not come', async () => {
    await using folder = await makeTemporaryFolder()
    await using file = await RecordFile.create(path.join(folder.path, 'records'), 3)
    await file.append(1, recordOf(1))

    expect(await readAll(file)).toEqual([recordOf(1)])
  })

  itWithFullDisk('are kept in memory where it is full', async () => {
    await using file = await RecordFile.create(fullDisk, 400)
    const cause = 'c'.repeat(500)
    for (let index = 0; index < 400; index += 1) await file.append(index, recordOf(index, cause))

    expect((await readAll(file)).map(({ index }) => index)).toEqual(
      Array.from({ length: 400 }).map((_, index) => index),
    )
  })
})
