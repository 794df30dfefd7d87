/**
 * One step of a workflow, from its first line to its exit code. Whatever happens in between (an
 * error nobody expected, a promise nobody awaits, an event loop that runs dry) it ends red, with
 * one annotation that says why.
 */
import path from 'node:path'
import * as core from '@actions/core'
import { orAbort, systemClock, type Clock } from '../clock.ts'
import { CutShort } from '../messages/cut-short.ts'
import {
  ActionError,
  describeBug,
  describeProblem,
  showProblem,
  type Annotation,
} from '../messages/annotation.ts'
import { waitAction } from '../version.ts'
import { headingOf } from '../messages/catalogue.ts'
import { listenForCancellation } from './cancellation.ts'
import {
  openInputs,
  type InputDeclaration,
  type InputGroups,
  type ValuesOf,
} from './inputs/declaration.ts'
import type { Environment } from './inputs/environment.ts'
import { boundedMasks, createLog, type Log } from './log.ts'
import { Outputs, writeOutput, type OutputName, type OutputProblem } from './outputs.ts'
import { Secrets } from '../messages/text/secrets.ts'

export interface Step {
  clock: Clock
  /** Between 0 and 1, as of `Math.random`. */
  random: () => number
  environment: Environment
  secrets: Secrets
  log: Log
  outputs: Outputs
  /** Aborts when the runner ends the step. */
  cancelled: AbortSignal
  /** Where the running bundle lies; the others lie beside that folder. */
  bundleFolder: string
}

/** What a step does: the inputs it declares, and what becomes of them. */
export interface Action<Groups extends InputGroups> {
  inputs: InputDeclaration<Groups>
  /** Gets the inputs parsed; it reads none from the environment. */
  act: (inputs: ValuesOf<Groups>, step: Step) => Promise<Verdict>
  /** Reports wrong inputs in other places than the annotation. */
  onWrongInputs?: (problem: ActionError, step: Step) => Promise<void>
  /** What the outputs say of a step that threw, where it had not set them. */
  outputsAfter?: (error: unknown, cause: string) => Partial<Record<OutputName, string>>
}

/** How a step ends: passed, or failed with the one annotation it writes. */
export type Verdict = { kind: 'passed' } | { kind: 'failed'; annotation: Annotation }

export const passed: Verdict = { kind: 'passed' }

// Connections that something left open must not keep a finished step running. Not at once:
// process.exit right after network use can crash Node 24 on Windows.
const lingering = 500

/** Never rejects. */
export async function performStep<Groups extends InputGroups>({
  inputs,
  act,
  onWrongInputs,
  outputsAfter,
}: Action<Groups>): Promise<void> {
  // Red until the action has ended well.
  process.exitCode = 1
  const secrets = new Secrets(boundedMasks(core))
  const log = createLog(core, secrets, { debugging: core.isDebug() })
  const end = endOnce(log)
  const outputs = new Outputs(secrets, writeOutput, ({ name, why }) =>
    log.note('output-not-set', { name, why }),
  )
  const fail = (error: unknown) =>
    end(() => {
      const verdict = failedBy(error, { log, secrets })
      const [cause = ''] = verdict.annotation.message.split('\n', 1)
      outputs.complete(outputsAfter?.(error, cause) ?? {})
      return verdict
    })
  let areInputsRead = false
  const cutShort = () => new CutShort(areInputsRead, [...outputs.executionIds])
  const finished = new AbortController()
  const cancelled = listenForCancellation(process, () => fail(cutShort()), {
    clock: systemClock,
    finished: finished.signal,
  })
  // All of them: after one that nobody listens for, Node prints a line of the bundle and ends at once.
  process.on('uncaughtException', fail)
  process.once('exit', () => {
    fail(cancelled.aborted ? cutShort() : new Error('it ended too early'))
  })
  try {
    const bundleFolder = path.dirname(process.argv[1] ?? '')
    const opened = openInputs(inputs, process.env, bundleFolder)
    // Before anything is parsed or printed.
    secrets.add(...opened.secrets.values)
    for (const input of opened.secrets.tooShort) log.note('short-secret', { input })
    const step = {
      clock: systemClock,
      random: Math.random,
      // A copy: storing changes what GitHub's clients read of it.
      environment: { ...process.env },
      secrets,
      log,
      outputs,
      cancelled,
      bundleFolder,
    }
    // A list of seeds may take seconds to be read.
    const values = await orAbort(opened.parse(), cancelled).catch(async (error: unknown) => {
      if (error instanceof ActionError) await onWrongInputs?.(error, step)
      throw error
    })
    areInputsRead = true
    const verdict = await act(values, step)
    end(() => failWithoutOutputs(verdict, outputs.problem))
  } catch (error) {
    fail(error === cancelled.reason ? cutShort() : error)
  } finally {
    finished.abort()
  }
}

function endOnce(log: Log): (conclude: () => Verdict) => void {
  let ended = false
  return (conclude) => {
    if (ended) return
    ended = true
    const verdict = conclude()
    process.exitCode = verdict.kind === 'passed' ? 0 : 1
    if (verdict.kind === 'failed') log.failure(verdict.annotation)
    setTimeout(() => process.exit(), lingering).unref()
  }
}

/** The next steps count on the outputs: without them no step passes. */
export function failWithoutOutputs(verdict: Verdict, problem: OutputProblem | undefined): Verdict {
  if (!problem || verdict.kind === 'failed') return verdict
  const { name, why, executionId } = problem
  const annotation = describeProblem({
    ...headingOf('no-outputs', {}),
    message: `What this step had to do is done, but its output ${name} was not set: ${why}.`,
    hint:
      executionId === undefined
        ? 'Look at what this step did in its log before you run it again.'
        : `Do not start it again: fetch it with ${waitAction} and execution-id ${executionId}.`,
  })
  return { kind: 'failed', annotation }
}

/** How a step ends that threw: with its own bug, if it is none of the errors made for people. */
export function failedBy(
  error: unknown,
  { log, secrets }: Pick<Step, 'log' | 'secrets'>,
): Extract<Verdict, { kind: 'failed' }> {
  if (error instanceof ActionError) {
    return { kind: 'failed', annotation: describeProblem(showProblem(error, secrets.show)) }
  }
  if (error instanceof SuppressedError) {
    // Cleaning up failed as well, mostly because of what went wrong first.
    log.debug(`then, while cleaning up: ${stackOf(error.error)}`)
    return failedBy(error.suppressed, { log, secrets })
  }
  log.debug(stackOf(error))
  return { kind: 'failed', annotation: describeBug(error) }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
