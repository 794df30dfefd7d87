import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { makeAutomations } from './support/automations.ts'
import { linesIn } from './support/batch.ts'
import { makeCheckout } from './support/checkout.ts'
import { theError } from './support/facts.ts'
import { until, within } from './support/until.ts'
import { openWorkflowRun, type AttemptScenario } from './support/workflow-run.ts'
import { itWithSignals } from './support/with-signals.ts'

const notEmpty = '{"type": "array", "minItems": 1}'
/** Takes for ever for `endless`. */
const slow = JSON.stringify({ items: { pattern: '^(a+)+$' } })
const endless = [`${'a'.repeat(60)}!`]

/** Each run returns the member `result` of its seed, or waits before for a gate. */
async function openBatch(...seeds: { result: unknown; waits?: true }[]) {
  await using cleanup = new AsyncDisposableStack()
  const body = `
    const { existsSync } = await import('node:fs')
    const { setTimeout: delay } = await import('node:timers/promises')
    while (seed.waits && !existsSync(import.meta.dirname + '/open')) await delay(20)
    return seed.result`
  const { folder } = cleanup.use(await makeAutomations({ scraper: body }))
  const run = cleanup.use(await openWorkflowRun(undefined, { automations: folder }))
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

describe('a run of a batch whose result is not what the schema asks for', () => {
  const words = 'The result: expected at least 1 item'

  it('has failed, for all that ask how it ended, and leaves the last good copy', async () => {
    await using batch = await openBatch({ result: [1] }, { result: [] })
    await using checkout = await makeCheckout({ 'out/2/result.json': '[2]' })
    const { workspace } = checkout
    const inputs = { 'results-folder': 'out', 'junit-file': 'junit.xml', 'print-result': 'false' }
    await using step = await batch.run.attempt(1, {
      ...batch.scenario(notEmpty, inputs),
      workspace,
    })
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
    const inWorkspace = (file: string) => readFile(path.join(workspace, file), 'utf8')
    expect(await inWorkspace('junit.xml')).toContain(
      '<failure message="The result: expected at least',
    )
    expect(await inWorkspace('out/1/result.json')).toBe('[1]')
    expect(await inWorkspace('out/2/result.json')).toBe('[2]')
  })

  it('keeps its slot until its end alone; with fail-fast no more are started', async () => {
    await using batch = await openBatch({ result: [] }, { result: [1], waits: true }, { result: 1 })
    const inputs = { 'fail-fast': 'true', 'max-parallel': '1' }
    await using running = batch.run.begin(1, batch.scenario(notEmpty, inputs))
    await running.waitForLine(/Run 1 returned an invalid result/)
    await until(() => batch.run.starts === 2)
    await batch.openGate()
    await using step = await within(running.result)

    expect(step.outputs).toMatchObject({ succeeded: '1', failed: '1', 'not-started': '1' })
  })

  it('is refused with its schema before anything is started', async () => {
    await using batch = await openBatch({ result: [] })
    await using step = await batch.run.attempt(1, batch.scenario('{"minItms": 1}'))

    expect([step.outputs['conclusion'], batch.run.starts]).toEqual(['failure', 0])
    expect(theError(step).message).toContain(
      'result-schema: at /minItms: unknown keyword "minItms"',
    )
  })
})

/** A first attempt that is cancelled while a check of its first run's result goes on. */
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
  itWithSignals.each([
    ['matches it', '{"type": "array"}', ['success', 'success']],
    ['does not', '{"items": {"maxLength": 2}}', ['invalid-result', 'success']],
  ])(
    'goes on meanwhile, and is cancelled at once; the schema of a re-run decides (%s)',
    async (_, schema, conclusions) => {
      await using batch = await openBatch({ result: endless }, { result: ['aa'], waits: true })
      await using first = await cancelCheck(batch)
      await batch.openGate()
      await using step = await batch.run.attempt(2, batch.scenario(schema))

      expect(first.outputs).toMatchObject({ conclusion: 'cancelled', unfinished: '2' })
      expect([step.outputs['resumed'], batch.run.starts]).toEqual(['true', 2])
      expect(resultsIn(step).map(({ conclusion }) => conclusion)).toEqual(conclusions)
    },
  )
})

describe('what a batch kept, in a re-run', () => {
  it.each([
    ['is kept where it matches the schema of today', '{"type": "array"}', 2],
    ['starts anew where it does not', '{"minItems": 2}', 4],
  ])('%s', async (_, schema, starts) => {
    await using batch = await openBatch({ result: [1] }, { result: [] })
    await using first = await batch.run.attempt(1, batch.scenario(notEmpty))
    await using step = await batch.run.attempt(2, batch.scenario(schema))

    expect(first.outputs).toMatchObject({ succeeded: '1', failed: '1' })
    expect([batch.run.starts, step.outputs['resumed']]).toEqual([starts, String(starts === 2)])
    const ids = resultsIn(step).map(({ execution_id }) => execution_id)
    const executions = batch.run.sandbox.executions.map(({ id }) => id)
    expect(ids.toSorted()).toEqual(executions.slice(-2).toSorted())
  })
})
