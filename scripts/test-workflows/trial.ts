/** Runs one workflow file for one event. */
import assert from 'node:assert/strict'
import { glob, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { unzipSync } from 'fflate'
import { parse, stringify } from 'yaml'
import type { z } from 'zod'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { messageOf } from '../../src/errors.ts'
import { runAct } from './act.ts'
import { cloneCheckout } from './checkout.ts'
import { openGithubSide } from './github-side.ts'
import { ActRecord, compareJobs, workflowSchema, type stepSchema } from './record.ts'
import type { Given, Place, Setup, Trial } from './setup.ts'

// Milliseconds. Ends act if no line has the text `cutOffAt`. The action would wait for an hour.
const maxWaitForCut = 120_000

/** Opens the services of a chain. `name` is the name of its folder. */
export async function openSetup(place: Place, name: string): Promise<Setup> {
  await using cleanup = new AsyncDisposableStack()
  const sandbox = cleanup.use(await openSandbox())
  const github = cleanup.use(await openGithubSide())
  const kept = cleanup.move()
  const folder = path.join(place.checkout.base, name)
  return {
    ...place,
    sandbox,
    github,
    checkout: cloneCheckout(place.checkout, path.join(folder, 'checkout')),
    artifacts: path.join(folder, 'artifacts'),
    cache: path.join(folder, 'cache'),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Runs the workflow and compares its steps with the file. Returns the problems. */
export async function runTrial(trial: Trial, setup: Setup): Promise<string[]> {
  try {
    const given = (await trial.given?.(setup)) ?? {}
    const { attempt = 1, script } = trial
    const { sandbox } = setup
    if (script) sandbox.script(attempt > 1 ? (sandbox.executions[0]?.id ?? '') : 'next', script)
    const workflow = await prepare(trial, setup.checkout.folder)
    const record = new ActRecord()
    const { code, isInterrupted } = await runUntilCut(trial, given, setup, record)
    const problems = isInterrupted ? [] : compareJobs(workflow, trial, record)
    if (trial.cutOffAt !== undefined && !isInterrupted)
      problems.push(`No line had ${trial.cutOffAt}`)
    if (code !== 0 && !isInterrupted && !trial.failing && problems.length === 0) {
      problems.push([`act ended with ${code}`, ...record.other.slice(-10)].join('\n    '))
    }
    if (problems.length > 0) return problems
    checkSecrets(record, setup)
    await checkArtifacts(setup.artifacts, trial.artifacts)
    await trial.check?.(setup, record)
    return []
  } catch (error) {
    return [messageOf(error)]
  }
}

async function runUntilCut(trial: Trial, given: Given, setup: Setup, record: ActRecord) {
  const { cutOffAt } = trial
  const cut = new AbortController()
  const onLine = (line: string) => {
    record.add(line)
    if (cutOffAt !== undefined && line.includes(cutOffAt)) cut.abort()
  }
  const givenUp = cutOffAt === undefined ? [] : [AbortSignal.timeout(maxWaitForCut)]
  const stopped = AbortSignal.any([setup.interrupted, cut.signal, ...givenUp])
  const code = await runAct(trial, given, setup, { stopped, onLine })
  return { code, isInterrupted: cut.signal.aborted }
}

/** Returns the workflow. If its commands are assertions, adds the failing copies to its file. */
async function prepare({ file, hasAssertions }: Trial, folder: string) {
  const workflowFile = path.join(folder, file)
  const workflow = workflowSchema.parse(parse(await readFile(workflowFile, 'utf8')))
  if (hasAssertions !== true) return workflow
  for (const job of Object.values(workflow.jobs)) {
    job.steps = job.steps.flatMap((step) => [step, ...failingCopies(step)])
  }
  await writeFile(workflowFile, stringify(workflow))
  return workflow
}

/**
 * Returns copies of an assertion that must fail, one for each value in its `env`. The value is wrong in
 * the copy. An assertion is a step that runs a command and has no id. A step with an id has outputs.
 */
function failingCopies(step: z.infer<typeof stepSchema>) {
  if (step.run === undefined || step.id !== undefined) return []
  return Object.keys(step.env).map((variable) => ({
    ...step,
    name: `${step.name ?? 'step'} (must fail with a wrong ${variable})`,
    env: { ...step.env, [variable]: 'wrong' },
    'continue-on-error': true,
  }))
}

/** Throws if a step shows a credential. The step `sandbox` may, because it runs before the masking. */
function checkSecrets({ steps }: ActRecord, { sandbox, github }: Setup): void {
  const credentials = [sandbox.apiToken, sandbox.apiKey, ...github.credentials]
  const leaks = steps
    .filter(([id]) => id !== 'sandbox')
    .filter(([, { lines }]) => credentials.some((value) => lines.join('\n').includes(value)))
  assert.deepEqual(
    leaks.map(([id]) => id),
    [],
    'the logs of these steps show a credential',
  )
}

/**
 * Throws unless the actions uploaded the expected number of artifacts. Removes the folder of act's
 * artifact server.
 */
async function checkArtifacts(folder: string, expected: number): Promise<void> {
  const files: string[] = []
  for await (const file of glob('**/*.zip', { cwd: folder })) files.push(file)
  assert.equal(files.length, expected, `artifacts: ${files.join(', ')}`)
  for (const file of files) {
    const names = Object.keys(unzipSync(await readFile(path.join(folder, file))))
    // The artifact of one run, or of a batch.
    assert.ok(names.includes('execution.json') || names.includes('results.jsonl'), file)
  }
  await rm(folder, { recursive: true, force: true })
}
