import { readFile } from 'node:fs/promises'
import { describe, expect } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { linesIn } from './support/batch.ts'
import { theError } from './support/facts.ts'
import { startAction } from './support/run-action.ts'
import { until, within } from './support/until.ts'
import { itWithSignals } from './support/with-signals.ts'

const action = 'batch'

describe('a batch that is cut off', () => {
  const slow = { seeds: '[{"seconds":60},{"seconds":60},{"seconds":60}]', 'max-parallel': '2' }
  const scenario = { action, automation: 'slow-count' } as const

  itWithSignals('by a cancellation reports every id, and uploads nothing', async () => {
    await using sandbox = await openSandbox()
    const inputs = { ...slow, 'upload-artifact': 'true' }
    await using running = startAction({ ...scenario, sandbox, inputs })
    await until(() => sandbox.executions.length === 2)
    await running.waitForLine(/Run 2: execution/)
    running.signal('SIGINT')
    const step = await within(running.result)

    expect([step.exitCode, step.signal, step.artifacts]).toEqual([1, null, []])
    expect(step.outputs).toMatchObject({ conclusion: 'cancelled', unfinished: '2' })
    const results = await readFile(step.outputs['results-file'] ?? '', 'utf8')
    expect(linesIn(results)).toHaveLength(3)
    for (const { id } of sandbox.executions) {
      for (const text of [step.log, results, step.summary]) expect(text).toContain(id)
    }
    expect(theError(step).title).toMatch(/^slow-count: this step was cancelled \(/)
  })
})
