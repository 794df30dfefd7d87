/**
 * Runs one step of a workflow, from reading its inputs to setting its exit code. If the step fails,
 * the step writes one error annotation with the reason. Examples of reasons are an unexpected error, an
 * unhandled rejection and an empty event loop.
 */
import net from 'node:net'
import path from 'node:path'
import * as core from '@actions/core'
import { isCausedBy, orAbort, systemClock, type Clock } from '../clock.ts'
import {
  ActionError,
  CutShort,
  describeBug,
  type Notice,
  noticeOf,
  onceWritable,
} from '../messages/notice.ts'
import { waitAction } from '../version.ts'
import { headingOf } from '../messages/catalogue.ts'
import { listenForCancellation } from './cancellation.ts'
import { readInputs, type Inputs } from './inputs/inputs.ts'
import { addSecretsOf } from './inputs/secret-inputs.ts'
import type { Environment } from './environment.ts'
import { Heartbeat } from './heartbeat.ts'
import { tryOutputFile } from './preflight.ts'
import { createLog, type Log } from './log.ts'
import { Outputs, type OutputName, type OutputProblem, type OutputValues } from './outputs.ts'
import { Secrets } from '../messages/text/secrets.ts'
import type { Judgement } from '../messages/judge.ts'

/** What an action works with. `Output` names the outputs that the receiver sets. */
export interface Step<in Output extends OutputName = never> {
  clock: Clock
  random: () => number
  environment: Environment
  secrets: Secrets
  log: Log
  heartbeat: Pick<Heartbeat, 'begin'>
  outputs: Outputs<Output>
  /** Aborts when the runner cancels the step. */
  cancelled: AbortSignal
  /** The folder of all bundles. Each bundle is in a folder of its own. */
  bundles: string
}

export interface Action<Values, Output extends OutputName> {
  /** Reads the inputs of the action. */
  read: (given: Inputs) => Promise<Values>
  /** Does the work of the action. Reads inputs only from `inputs`, not from the environment. */
  act: (inputs: Values, step: Step<Output>) => Promise<Verdict>
  /** Called if inputs are invalid, before the step fails. Never rejects. */
  afterInvalidInputs?: (step: Step) => Promise<void>
  /** Returns the outputs to set after an error. Outputs that are already set stay unchanged. */
  outputsAfter?: (error: unknown, cause: string) => OutputValues<Output>
}

/** The result of a step. A failed step writes exactly one error annotation, made from the notice. */
export type Verdict = { kind: 'passed' } | { kind: 'failed'; notice: Notice }

export const passed: Verdict = { kind: 'passed' }

export function verdictOf({ fails, notice }: Judgement): Verdict {
  return fails && notice ? { kind: 'failed', notice } : passed
}

// How long open connections may keep a finished step running, in milliseconds. Then the process
// exits. An immediate process.exit after network use can crash Node 24 on Windows.
export const lingering = 500
// How long a finished step waits for a late reader of its log, in milliseconds. The annotation is at
// the end of the log. A cancelled step has less time.
const maxLogDelay = 5_000

/**
 * How long each address of a host but the last is tried, in milliseconds. Node's 250 ms are too
 * short for a service that is far away, if its name also has an address that cannot be reached.
 */
const minTimePerAddress = 1_000

export async function performStep<Values, Output extends OutputName>(
  action: Action<Values, Output>,
): Promise<void> {
  net.setDefaultAutoSelectFamilyAttemptTimeout(
    Math.max(minTimePerAddress, net.getDefaultAutoSelectFamilyAttemptTimeout()),
  )
  // The exit code stays 1 unless the action succeeds.
  process.exitCode = 1
  const secrets = new Secrets(core.setSecret)
  const log = createLog(core, secrets, core.isDebug())
  const outputs = new Outputs<Output>(secrets, core.setOutput, ({ output, why }) =>
    log.note('output-not-set', { name: output, why }),
  )
  const end = new StepEnd(log, outputs, action.outputsAfter)
  const cancelled = listenForCancellation(process, {
    onOverdue: () => end.cutShort(),
    clock: systemClock,
    finished: end.finished,
  })
  cancelled.addEventListener('abort', () => (end.isCancelled = true))
  // The step follows its run to the end, also if nobody reads its log any more (EPIPE).
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  // The listener handles errors that nobody catches. Without it, Node prints a line of the bundle.
  process.on('uncaughtException', (error) => end.fail(error))
  // After the end of the step, both calls do nothing.
  process.once('exit', () => {
    if (cancelled.aborted) end.cutShort()
    else end.fail(new Error('it ended too early'))
    // Without this call, Node stops listening for signals some milliseconds before the process ends.
    process.exit()
  })
  try {
    // Secrets are masked before anything is read or printed.
    addSecretsOf(process.env, secrets)
    const bundles = path.join(process.argv[1] ?? '', '..', '..')
    const step = {
      clock: systemClock,
      random: Math.random,
      // The environment is copied, because the storage bundle changes variables of the process.
      environment: { ...process.env },
      secrets,
      log,
      heartbeat: new Heartbeat(log, systemClock, end.finished),
      outputs,
      cancelled,
      bundles,
    }
    // A cancellation ends the reading of inputs early. A schema may take seconds to compile.
    const reading = readInputs(action.read, process.env, bundles)
    const inputs = await orAbort(reading, cancelled).catch(async (error: unknown) => {
      if (error instanceof ActionError) await action.afterInvalidInputs?.(step)
      throw error
    })
    end.areInputsRead = true
    if (process.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
      log.note('certificates-not-checked', {})
    end.outputFileProblem = await tryOutputFile(process.env)
    if (end.outputFileProblem) throw end.outputFileProblem
    end.conclude(await action.act(inputs, step))
  } catch (error) {
    if (isCausedBy(error, cancelled)) end.cutShort()
    else end.fail(error)
  }
}

/** Ends a step: sets its exit code and the missing outputs, and writes its annotation. */
class StepEnd<Output extends OutputName> {
  areInputsRead = false
  isCancelled = false
  /** Why no output can be written. Undefined if the runner's file can be opened. */
  outputFileProblem: ActionError | undefined
  readonly #log: Log
  readonly #outputs: Outputs<Output>
  readonly #outputsAfter: Action<unknown, Output>['outputsAfter']
  readonly #finished = new AbortController()
  /** Aborts when the step has ended. Then the methods do nothing. */
  readonly finished = this.#finished.signal

  constructor(
    log: Log,
    outputs: Outputs<Output>,
    outputsAfter: Action<unknown, Output>['outputsAfter'],
  ) {
    this.#log = log
    this.#outputs = outputs
    this.#outputsAfter = outputsAfter
  }

  /** Ends the step with the verdict of its action. */
  conclude(verdict: Verdict): void {
    if (this.finished.aborted) return
    this.#end(failWithoutOutputs(verdict, this.#outputs.problem))
  }

  fail(error: unknown): void {
    if (this.finished.aborted) return
    const verdict = failedBy(error, this.#log)
    const [cause = ''] = verdict.notice.why
    const outputs = this.outputFileProblem ? undefined : this.#outputsAfter?.(error, cause)
    if (outputs) this.#outputs.complete(outputs)
    this.#end(verdict)
  }

  /** Fails a step that was cancelled and cannot report its state. */
  cutShort(): void {
    this.fail(new CutShort(this.areInputsRead, [...this.#outputs.executionIds]))
  }

  #end(verdict: Verdict): void {
    this.#finished.abort()
    process.exitCode = verdict.kind === 'passed' ? 0 : 1
    if (verdict.kind === 'failed') this.#log.failure(verdict.notice, this.#outputs.executionUrl)
    setTimeout(() => process.stdout.write('', () => process.exit()), lingering).unref()
    setTimeout(() => process.exit(), this.isCancelled ? lingering : maxLogDelay).unref()
  }
}

/** Fails a step if an output could not be written, because later steps need the outputs. */
export function failWithoutOutputs(verdict: Verdict, problem: OutputProblem | undefined): Verdict {
  if (!problem || verdict.kind === 'failed') return verdict
  const { output, why, executionId } = problem
  const what = `This step did its work, but its output ${output} was not set: ${why}.`
  const again =
    executionId === undefined
      ? 'read the log of this step before you run it again.'
      : `fetch the run with ${waitAction} and execution-id ${executionId}. Do not start the automation again.`
  const next = `${onceWritable(why)} ${again}`
  return { kind: 'failed', notice: noticeOf(headingOf('no-outputs', {}), [what], next) }
}

/** Returns the failed verdict for an error. Every error except an ActionError is a bug. */
export function failedBy(
  error: unknown,
  log: Pick<Log, 'debug'>,
): Extract<Verdict, { kind: 'failed' }> {
  if (error instanceof ActionError) return { kind: 'failed', notice: error.notice }
  if (error instanceof SuppressedError) {
    // The cleanup also failed, usually because of the first error. The first error is reported.
    log.debug(`then, while cleaning up: ${stackOf(error.error)}`)
    return failedBy(error.suppressed, log)
  }
  log.debug(stackOf(error))
  return { kind: 'failed', notice: describeBug(error) }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
