import { readFile } from 'node:fs/promises'
import { expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { runAction } from './support/run-action.ts'

const mebibyte = 1024 * 1024

/** True if the lines are numbered from 0 without gaps or repetitions. */
const isNumbered = (bytes: Buffer) =>
  bytes
    .toString()
    .trimEnd()
    .split('\n')
    .every((line, row) => Number(line.split(',')[1]) === row)

it('a result of 3 MB and a log of 6 MB: the files are whole, outputs and summary keep their limits', async () => {
  await using sandbox = await openSandbox()
  const seed = { resultMegabytes: 3, logMegabytes: 6 }
  const inputs = { 'upload-artifact': 'true', 'print-log': 'always' }
  await using step = await runAction({ sandbox, automation: 'big-export', seed, inputs })
  expect([step.exitCode, step.annotations]).toEqual([0, []])

  const result = await readFile(step.outputs['result-file'] ?? '')
  const log = await readFile(step.outputs['log-file'] ?? '')
  expect([result.length, log.length]).toEqual([3_000_000, 6_000_000])
  expect([isNumbered(result), isNumbered(log)]).toEqual([true, true])
  const uploaded = step.artifacts[0]?.files ?? {}
  expect(uploaded['result.csv']?.equals(result)).toBe(true)
  expect(uploaded['run.log']?.equals(log)).toBe(true)

  // GitHub measures outputs in UTF-16.
  const outputs = Object.entries(step.outputs).flat().join('')
  expect(outputs.length * 2).toBeLessThan(mebibyte)
  expect(step.outputs['result']).toBe('')
  expect(step.outputs['log']?.length).toBeLessThanOrEqual(64 * 1024)
  expect(log.toString().endsWith(`\n${step.outputs['log'] ?? '?'}`)).toBe(true)
  expect(Buffer.byteLength(step.summary)).toBeLessThan(200 * 1024)
  expect(step.stdout.length).toBeLessThan(1.2 * mebibyte)
})
