/** Tests a batch on a full disk. A limit on the size of a file stands for a full disk. */
import { readdir } from 'node:fs/promises'
import { describe, expect } from '@jest/globals'
import { runStep } from '../../sandbox/runner/runner.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeAutomations } from './support/automations.ts'
import { theError } from './support/facts.ts'
import { connectionOf } from './support/run-action.ts'
import { itWithLimits, makeLimitedAction } from './support/limited-files.ts'

/** The largest size of a file, in KiB. The files about all runs are larger than this limit. */
const room = 32
const automation = 'long-winded'
const body = `
  console.log(('x'.repeat(99) + '\\n').repeat(90))
  if (seed.number > 1) throw new Error('no')
  return { text: 'y'.repeat(20_000) }`

describe('a batch on a full disk', () => {
  itWithLimits('keeps no incomplete file, and does not output or upload one', async () => {
    await using limited = await makeLimitedAction('batch', room)
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
    await using step = await runStep({ action: limited.path, inputs })
    const { outputs } = step
    const names = ['failed-seeds.jsonl', 'junit.xml', 'results.jsonl']
    const batchFilesIn = (files: readonly string[]) => files.filter((file) => names.includes(file))

    expect([step.exitCode, outputs['total'], outputs['failed']]).toEqual([1, '10', '6'])
    expect(outputs).toMatchObject({ 'results-file': '', 'failed-seeds-file': '', 'junit-file': '' })
    expect(batchFilesIn(await readdir(outputs['folder'] ?? ''))).toEqual([])
    expect(batchFilesIn(Object.keys(step.artifacts[0]?.files ?? {}))).toEqual([])
    expect(theError(step).message).not.toContain('failed-seeds')
  })
})
