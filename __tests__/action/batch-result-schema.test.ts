import { execFileSync } from 'node:child_process'
import { closeSync, constants, globSync, openSync, readFileSync, renameSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { RunningStep } from '../../sandbox/runner/runner.ts'
import { codeOf } from '../../src/errors.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { makeAutomations } from './support/automations.ts'
import { linesIn } from './support/batch.ts'
import { theError } from './support/facts.ts'
import { startWithClock } from './support/past-timeout.ts'
import { startAction } from './support/run-action.ts'
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

  it('counts as failed for fail-fast, and the runs in progress are followed to their end', async () => {
    await using batch = await openBatch({ result: [] }, { result: [1], waits: true }, { result: 1 })
    const inputs = { 'fail-fast': 'true', 'max-parallel': '1' }
    await using running = batch.run.begin(1, batch.scenario(notEmpty, inputs))
    await running.waitForLine(/Run 1 returned an invalid result/)
    await until(() => batch.run.starts === 2)
    await batch.openGate()
    await using step = await within(running.result)

    expect(step.outputs).toMatchObject({ succeeded: '1', failed: '1', 'not-started': '1' })
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
  itWithSignals.each([
    ['matches', '{"type": "array"}', ['success', 'success']],
    ['does not match', '{"items": {"maxLength": 2}}', ['invalid-result', 'success']],
  ])(
    'starts other runs, is cancelled at once, and is checked again in a re-run: the result %s',
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

/** Replaces the file by a pipe until the file is read. Returns a function that ends the reading. */
async function blockReading(file: string): Promise<() => void> {
  const [pipe, original] = [`${file}.pipe`, `${file}.original`]
  execFileSync('mkfifo', [pipe])
  renameSync(file, original)
  renameSync(pipe, file)
  let end: number | undefined
  await until(() => (end = openIfRead(file)) !== undefined)
  renameSync(original, file)
  return () => closeSync(end ?? -1)
}

/** Opens the pipe for writing. Returns undefined if nobody reads the pipe. */
function openIfRead(pipe: string): number | undefined {
  try {
    return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (codeOf(error) === 'ENXIO') return undefined
    throw error
  }
}

/**
 * Runs a first attempt. Calls `meddle` when the check of the first result is running and the second
 * result waits for its check. `file`: the second result. `endCheck`: lets the first check time out.
 */
async function runPastCheck(
  { run, scenario, openGate }: Awaited<ReturnType<typeof openBatch>>,
  temp: string,
  meddle: (running: RunningStep, file: string, endCheck: () => Promise<void>) => Promise<void>,
) {
  const given = run.scenario(1, { ...scenario(slow, { 'max-parallel': '1' }), temp })
  const start = (env: Record<string, string>) =>
    startAction({ ...given, env: { ...given.env, ...env } })
  const fetched = (seed: number) =>
    globSync(`**/${seed}/{result.json,run.log}`, { cwd: temp }).toSorted()
  return startWithClock(start, async ({ running, putForward }) => {
    await until(() => fetched(1).length === 2)
    await openGate()
    await until(() => fetched(2).length === 2)
    const file = path.join(temp, fetched(2)[0] ?? '')
    await meddle(running, file, () => putForward(30_000))
  })
}

it.each([
  ['the result matches', notEmpty, 'success'],
  ['the result does not match', '{"items": {"maxLength": 2}}', 'failure'],
])(
  'a run whose check ran out of time is checked again by a re-run, which starts nothing: %s',
  async (_, schema, conclusion) => {
    await using batch = await openBatch({ result: endless }, { result: ['aa'], waits: true })
    await using folder = await makeTemporaryFolder()
    const { path: temp } = folder
    await using first = await runPastCheck(batch, temp, (_, __, endCheck) => endCheck())
    await using again = await batch.run.attempt(2, batch.scenario(schema))

    expect(first.outputs).toMatchObject({ conclusion: 'failure', succeeded: '1', unknown: '1' })
    expect(resultsIn(first)[0]).toMatchObject({
      conclusion: 'unknown',
      cause: expect.stringContaining('was not validated: this did not finish in 20 s'),
    })
    expect(await readFile(first.outputs['failed-seeds-file'] ?? '', 'utf8')).toBe('')
    expect([again.outputs['conclusion'], batch.run.starts]).toEqual([conclusion, 2])
  },
)

itWithSignals('a cancelled batch writes all files before the check itself ends', async () => {
  await using batch = await openBatch({ result: endless }, { result: ['aa'], waits: true })
  await using folder = await makeTemporaryFolder()
  const { path: temp } = folder
  await using step = await runPastCheck(batch, temp, async (running, file, endCheck) => {
    const blocking = blockReading(file)
    await endCheck()
    const endReading = await blocking
    running.signal('SIGINT')
    await running.waitForLine(/^::error/)
    const [outputs = ''] = globSync('_runner_file_commands/set_output_*', { cwd: temp })
    await until(() => readFileSync(path.join(temp, outputs), 'utf8').includes('cancelled'))
    await until(() => batch.run.cache.entries.length > 1)
    endReading()
  })

  expect(step.outputs).toMatchObject({ conclusion: 'cancelled', unknown: '1', unfinished: '1' })
})

it('a run with an invalid result is started anew by each re-run', async () => {
  await using batch = await openBatch({ result: [] }, { result: [] })
  const starts: number[] = []
  for (const attempt of [1, 2, 3]) {
    await using step = await batch.run.attempt(attempt, batch.scenario(notEmpty))
    expect(step.outputs).toMatchObject({ failed: '2', resumed: 'false' })
    starts.push(batch.run.starts)
  }

  expect(starts).toEqual([2, 4, 6])
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
