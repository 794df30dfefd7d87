/** Runs one workflow file for one event, and checks its steps and its effects. */
import assert from 'node:assert/strict'
import { glob, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { unzipSync } from 'fflate'
import { stringify } from 'yaml'
import type { ScriptedStatus } from '../../../sandbox/service/status-record.ts'
import { messageOf } from '../../../src/errors.ts'
import { runAct } from './act.ts'
import { ActRecord, compareJobs, type Unusual } from './record.ts'
import type { Setup } from './setup.ts'
import { readWorkflow, type Step } from './workflow.ts'

/** The inputs of a workflow. */
export interface Given {
  /** The inputs of a `workflow_dispatch` or a `workflow_call`. */
  inputs?: Record<string, string>
  /** The event as GitHub would send it. */
  payload?: unknown
}

export interface Trial extends Unusual, Given {
  file: string
  event:
    | 'push'
    | 'schedule'
    | 'workflow_dispatch'
    | 'workflow_call'
    | 'pull_request'
    | 'repository_dispatch'
    | 'workflow_run'
  /** The id of the workflow run, if a later trial needs it. */
  runId?: string
  /**
   * The number of the attempt. All attempts of a chain share the entries of act's cache server. Without
   * a number, act has no cache server.
   */
  attempt?: number
  /** Ends act at the first line that has this text. The steps are then not checked. */
  cutOffAt?: string
  /** The status answers for the run that the trial starts or, in a later attempt, takes over. */
  script?: ScriptedStatus[]
  /** Prepares the services that the trial uses, and returns inputs that come from earlier trials. */
  given?: (setup: Setup) => Given | undefined | Promise<Given | undefined>
  /** Throws if the effects of the trial on the services are wrong. */
  check?: (setup: Setup, record: ActRecord) => unknown
  /** True if the file's commands are assertions. A copy of each with one wrong value must fail. */
  hasAssertions?: true
  /** The number of artifacts that the actions upload. */
  artifacts: number
}

/** A trial of a file in `examples`. */
export function example(
  file: string,
  event: Trial['event'],
  artifacts: number,
  more: Partial<Trial> = {},
): Trial {
  return { file: `examples/${file}`, event, artifacts, ...more }
}

/** @throws Error that names the workflow, and each step that ended differently than expected. */
export async function runTrial(trial: Trial, setup: Setup): Promise<void> {
  try {
    const { attempt = 1, script } = trial
    const { sandbox } = setup
    const { payload = trial.payload, inputs } = (await trial.given?.(setup)) ?? {}
    const given = { payload, inputs: { ...trial.inputs, ...inputs } }
    if (script) sandbox.script(attempt > 1 ? (sandbox.executions[0]?.id ?? '') : 'next', script)
    const workflow = await prepare(trial, setup.checkout.folder)
    const record = new ActRecord()
    const { code, isCut } = await runUntilCut(trial, given, setup, record)
    assert.equal(isCut, trial.cutOffAt !== undefined, `no line had ${trial.cutOffAt}`)
    const problems = isCut ? [] : compareJobs(workflow, trial, record)
    assert.equal(problems.length, 0, problems.join('\n'))
    const mayFail = isCut || trial.failing !== undefined
    const lastLines = record.other.slice(-10).join('\n')
    assert.ok(code === 0 || mayFail, `act ended with ${code}\n${lastLines}`)
    checkSecrets(record, setup)
    await checkArtifacts(setup.artifacts, trial.artifacts)
    await trial.check?.(setup, record)
  } catch (error) {
    throw new Error(`${trial.file} (${trial.event}): ${messageOf(error)}`, { cause: error })
  }
}

// Milliseconds. Ends act if no line has the text `cutOffAt`. The action would wait for an hour.
const maxWaitForCut = 120_000

async function runUntilCut(trial: Trial, given: Given, setup: Setup, record: ActRecord) {
  const { cutOffAt } = trial
  const cut = new AbortController()
  const onLine = (line: string) => {
    record.add(line)
    if (cutOffAt !== undefined && line.includes(cutOffAt)) cut.abort()
  }
  const givenUp = cutOffAt === undefined ? [] : [AbortSignal.timeout(maxWaitForCut)]
  const stopped = AbortSignal.any([cut.signal, ...givenUp])
  const code = await runAct(trial, given, setup, { stopped, onLine })
  return { code, isCut: cut.signal.aborted }
}

/** Returns the workflow. If its commands are assertions, adds the failing copies to its file. */
async function prepare({ file, hasAssertions }: Trial, folder: string) {
  const workflow = await readWorkflow(file, folder)
  if (hasAssertions !== true) return workflow
  for (const job of Object.values(workflow.jobs)) {
    job.steps = job.steps.flatMap((step) => [step, ...failingCopies(step)])
  }
  await writeFile(path.join(folder, file), stringify(workflow))
  return workflow
}

/**
 * Returns copies of an assertion that must fail, one for each value in its `env`. The value is wrong in
 * the copy. An assertion is a step that runs a command and has no id. A step with an id has outputs.
 */
function failingCopies(step: Step): Step[] {
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
    .map(([id]) => id)
  assert.deepEqual(leaks, [], 'the logs of these steps show a credential')
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
