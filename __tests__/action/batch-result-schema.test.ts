import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { makeAutomations } from './support/automations.ts'
import { linesIn } from './support/batch.ts'
import { theError } from './support/facts.ts'
import { until, within } from './support/until.ts'
import { openWorkflowRun, type AttemptScenario } from './support/workflow-run.ts'
import { itWithSignals } from './support/with-signals.ts'

const notEmpty = '{"type": "array", "minItems": 1}'
/** A schema whose check of the result `endless` never ends. */
const slow = JSON.stringify({ items: { pattern: '^(a+)+$' } })
const endless = [`${'a'.repeat(60)}!`]

/** Each run returns the `result` of its seed. A run with `waits` first waits for the gate. */
async function openBatch(...seeds: { result: unknown; waits?: true }[]) {
  await using cleanup = new AsyncDisposableStack()
  const body = `
    const { existsSync } = await import('node:fs')
    const { setTimeout: delay } = await import('node:timers/promises')
    while (seed.waits && !existsSync(import.meta.dirname + '/open')) await delay(20)
    return seed.result`
  const { folder } = cleanup.use(await makeAutomations({ scraper: body }))
  const run = cleanup.use(await openWorkflowRun({ automations: folder }))
  const kept = cleanup.move()
  const scenario = (schema: string, more: Record<string, string> = {}): AttemptScenario => ({
    action: 'batch',
    automation: 'scraper',
    inputs: { seeds: JSON.stringify(seeds), 'result-schema': schema, ...more },
  })
  return {
    run,
    scenario,
    openGate: () => writeFile(path.join(folder, 'open'), ''),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

function resultsIn({ outputs }: { outputs: Record<string, string> }): Record<string, unknown>[] {
  return JSON.parse(outputs['results'] ?? '[]') as Record<string, unknown>[]
}

describe('a run of a batch whose result does not match the schema', () => {
  const words = 'The result: expected at least 1 item'

  it('counts as failed everywhere', async () => {
    await using batch = await openBatch({ result: [1] }, { result: [] })
    const inputs = { 'print-result': 'false' }
    await using step = await batch.run.attempt(1, batch.scenario(notEmpty, inputs))
    const { outputs } = step

    expect([step.exitCode, step.annotations.length]).toEqual([1, 1])
    expect(outputs).toMatchObject({ conclusion: 'failure', succeeded: '1', failed: '1' })
    expect(theError(step)).toMatchObject({
      title: 'scraper: 1 of 2 runs failed',
      message: expect.stringContaining(
        'Run 2 returned an invalid result: The result: expected at least 1 item (execution ',
      ),
    })
    const own = { conclusion: 'invalid-result', result_file: '2/result.json' }
    expect(resultsIn(step)).toMatchObject([{ conclusion: 'success', cause: null }, own])
    const lines = linesIn(await readFile(outputs['results-file'] ?? '', 'utf8'))
    expect(lines[1]).toMatchObject({
      ...own,
      cause: words,
      executions: [{ conclusion: 'invalid-result' }],
      result_problems: { count: 1, first: [words] },
      result: [],
    })
    expect(await readFile(outputs['failed-seeds-file'] ?? '', 'utf8')).toBe('{"result":[]}\n')
    expect(await readFile(outputs['junit-file'] ?? '', 'utf8')).toContain(
      '<failure message="The result: expected at least',
    )
  })
})

/** Runs a first attempt and cancels it while the result of its first run is being checked. */
async function cancelCheck(batch: Awaited<ReturnType<typeof openBatch>>) {
  await using folder = await makeTemporaryFolder()
  const scenario = { ...batch.scenario(slow, { 'max-parallel': '1' }), temp: folder.path }
  await using running = batch.run.begin(1, scenario)
  await running.waitForLine(/Run 2: execution/)
  const isFetched = (name: string) => globSync(`**/1/${name}`, { cwd: folder.path }).length > 0
  await until(() => isFetched('result.json') && isFetched('run.log'))
  running.signal('SIGINT')
  return await within(running.result)
}

describe('a batch whose check does not end', () => {
  itWithSignals('starts other runs, is cancelled at once, and a re-run checks again', async () => {
    await using batch = await openBatch({ result: endless }, { result: ['aa'], waits: true })
    await using first = await cancelCheck(batch)
    await batch.openGate()
    await using step = await batch.run.attempt(2, batch.scenario('{"items": {"maxLength": 2}}'))

    expect(first.outputs).toMatchObject({ conclusion: 'cancelled', unfinished: '2' })
    expect([step.outputs['resumed'], batch.run.starts]).toEqual(['true', 2])
    const conclusions = resultsIn(step).map(({ conclusion }) => conclusion)
    expect(conclusions).toEqual(['invalid-result', 'success'])
  })
})

describe('a run that succeeded in the first attempt of a batch', () => {
  it.each([
    ['is kept in a re-run if it matches the new schema', '{"type": "array"}', '2', '0'],
    ['ends invalid-result in a re-run if it does not match it', '{"minItems": 2}', '0', '2'],
  ])('%s', async (_, schema, succeeded, failed) => {
    await using batch = await openBatch({ result: [1] }, { result: [] })
    await using first = await batch.run.attempt(1, batch.scenario(notEmpty))
    await using step = await batch.run.attempt(2, batch.scenario(schema))

    expect(first.outputs).toMatchObject({ succeeded: '1', failed: '1' })
    expect(step.outputs).toMatchObject({ succeeded, failed, resumed: 'true' })
    // Only the run with the invalid result was started anew.
    expect(batch.run.starts).toBe(3)
    const [kept] = resultsIn(first)
    expect(resultsIn(step)[0]?.['execution_id']).toBe(kept?.['execution_id'])
  })
})
