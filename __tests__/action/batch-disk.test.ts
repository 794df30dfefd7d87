/** Tests a batch on a full disk. A limit on the size of a file stands for a full disk. */
import { readdir } from 'node:fs/promises'
import { expect, it } from '@jest/globals'
import { runStep } from '../../sandbox/runner/runner.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeActionAround } from './support/action-around.ts'
import { makeAutomations } from './support/automations.ts'
import { theError } from './support/facts.ts'
import { connectionOf } from './support/run-action.ts'

/** The largest size of a file, in KiB. The files about all runs are larger than this limit. */
const room = 32
const automation = 'long-winded'
const body = `
  console.log(('x'.repeat(99) + '\\n').repeat(90))
  if (seed.number > 1) throw new Error('no')
  return { text: 'y'.repeat(20_000) }`

/** Runs the bundle so that it can write no file of more than `room` KiB. */
const limited = (bundle: string) => `
  import { spawnSync } from 'node:child_process'
  const command = ['-c', 'ulimit -f ${room}; exec "$0" "$1"', process.execPath, ${bundle}]
  process.exitCode = spawnSync('bash', command, { stdio: 'inherit' }).status ?? 1`

// Windows has no limit on the size of a file.
const itWithLimits = process.platform === 'win32' ? it.skip : it

itWithLimits('a batch on a full disk keeps, outputs and uploads no incomplete file', async () => {
  await using action = await makeActionAround('batch', limited)
  await using automations = await makeAutomations({ [automation]: body })
  await using sandbox = await openSandbox({ automations: automations.folder })
  const seeds = Array.from({ length: 5 }, (_, at) => ({ number: at, text: 'z'.repeat(9_000) }))
  const inputs = {
    ...connectionOf({ sandbox }),
    project: 'demo',
    automation,
    seeds: JSON.stringify([...seeds, ...seeds]),
    'poll-interval': '100ms',
  }
  await using step = await runStep({ action: action.path, inputs })
  const { outputs } = step
  const names = ['failed-seeds.jsonl', 'junit.xml', 'results.jsonl']
  const batchFilesIn = (files: readonly string[]) => files.filter((file) => names.includes(file))

  expect([step.exitCode, outputs['total'], outputs['failed']]).toEqual([1, '10', '6'])
  expect(outputs).toMatchObject({ 'results-file': '', 'failed-seeds-file': '', 'junit-file': '' })
  expect(batchFilesIn(await readdir(outputs['folder'] ?? ''))).toEqual([])
  expect(batchFilesIn(Object.keys(step.artifacts[0]?.files ?? {}))).toEqual([])
  expect(theError(step).message).not.toContain('failed-seeds')
})
