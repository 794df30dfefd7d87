/**
 * One step of a workflow, from its first line to its exit code. Whatever happens in between (an
 * error nobody expected, a promise nobody awaits, an event loop that runs dry) it ends red, with
 * one annotation that says why.
 */
import path from 'node:path'
import * as core from '@actions/core'
import { systemClock, type Clock } from '../clock.ts'
import { ActionError } from '../errors.ts'
import { describeBug, describeProblem, type Annotation } from './annotation.ts'
import { listenForCancellation } from './cancellation.ts'
import type { Environment } from './inputs/environment.ts'
import { readSecrets } from './inputs/secrets.ts'
import { createLog, type Log } from './log.ts'
import { Outputs } from './outputs.ts'
import { Secrets } from './secrets.ts'

export interface Step {
  clock: Clock
  /** Between 0 and 1, as of `Math.random`. */
  random: () => number
  environment: Environment
  secrets: Secrets
  log: Log
  outputs: Outputs
  /** Aborts with {@link Cancelled} when the runner ends the step. */
  cancelled: AbortSignal
  /** Where the running bundle lies; the others lie beside that folder. */
  bundleFolder: string
}

/** How a step ends: passed, or failed with the one annotation it writes. */
export type Verdict = { kind: 'passed' } | { kind: 'failed'; annotation: Annotation }

export const passed: Verdict = { kind: 'passed' }

// Connections that something left open must not keep a finished step running. Not at once:
// process.exit right after network use can crash Node 24 on Windows.
const lingering = 500

/** `reportAt`: where a bug of ours should be reported. Never rejects. */
export async function performStep(
  tell: (step: Step) => Promise<Verdict>,
  reportAt: string,
): Promise<void> {
  // Red until the story has ended well.
  process.exitCode = 1
  const secrets = new Secrets(core.setSecret)
  for (const secret of readSecrets(process.env)) secrets.add(secret)
  const log = createLog(core, secrets)
  const end = endOnce(log)
  process.once('uncaughtException', (error) => end(failedBy(error, log, reportAt)))
  process.once('exit', () => end(failedBy(new Error('it ended too early'), log, reportAt)))
  const step: Step = {
    clock: systemClock,
    random: Math.random,
    environment: process.env,
    secrets,
    log,
    outputs: new Outputs(secrets),
    cancelled: listenForCancellation(process),
    bundleFolder: path.dirname(process.argv[1] ?? ''),
  }
  try {
    end(await tell(step))
  } catch (error) {
    end(failedBy(error, log, reportAt))
  }
}

function endOnce(log: Log): (verdict: Verdict) => void {
  let ended = false
  return (verdict) => {
    if (ended) return
    ended = true
    process.exitCode = verdict.kind === 'passed' ? 0 : 1
    if (verdict.kind === 'failed') log.failure(verdict.annotation)
    setTimeout(() => process.exit(), lingering).unref()
  }
}

function failedBy(error: unknown, log: Log, reportAt: string): Verdict {
  return { kind: 'failed', annotation: annotationOf(error, log, reportAt) }
}

function annotationOf(error: unknown, log: Log, reportAt: string): Annotation {
  if (error instanceof ActionError) return describeProblem(error)
  if (error instanceof Error) log.debug(error.stack ?? '')
  return describeBug(error, reportAt)
}
