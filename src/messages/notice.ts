/** Defines what people read about a failure, and composes the notices that are not about a run. */
import { describeFileProblem, isDiskFull } from '../errors.ts'
import type { Conclusion } from '../execution/conclusion.ts'
import { reportAt, waitAction } from '../version.ts'
import { cancelledBefore } from './advice.ts'
import { headingOf, type Heading } from './catalogue.ts'
import { describeCount } from './quantities.ts'

/**
 * What people read about a failure. The texts may quote untrusted texts of any length. The code
 * that shows a notice redacts each text, makes it one line and cuts it. The code that composes a notice
 * does none of this.
 */
export interface Notice extends Heading {
  /** Why the step fails. The first line says most, and is the output `cause`. */
  why: readonly string[]
  /** What else is known, for example where the log is. */
  facts: readonly string[]
  /** What to do. */
  advice: readonly string[]
}

/** Returns a notice without facts. `next` says what to do. */
export function noticeOf(heading: Heading, why: readonly string[], next: string): Notice {
  const { name, title } = heading
  return { name, title, why, facts: [], advice: [`Next: ${next}`] }
}

/** An error for people. `message` says what happened, in one or more lines. */
export class ActionError extends Error {
  override readonly name: string = 'ActionError'
  readonly notice: Notice

  /** `hint` says what to do. */
  constructor(message: string, options: Heading & { hint: string; cause?: unknown }) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.notice = noticeOf(options, message.split(/\r?\n/), options.hint)
  }
}

/** The error of a step that was cancelled and had no time to report its state. */
export class CutShort extends ActionError {
  override readonly name = 'CutShort'
  /** The conclusion of a step that has only one run. */
  readonly conclusion: Extract<Conclusion, 'not-started' | 'cancelled' | 'unknown'>

  /** `executionIds` contains the ids of all executions that the step knows, oldest first. */
  constructor(areInputsRead: boolean, executionIds: readonly string[]) {
    const { message, hint } = areInputsRead ? describeCutShort(executionIds) : cancelledEarly
    super(message, { ...headingOf('cut-short', {}), hint })
    if (!areInputsRead) this.conclusion = 'not-started'
    else this.conclusion = executionIds.length > 0 ? 'cancelled' : 'unknown'
  }
}

const cancelledEarly = {
  message: 'The step was cancelled while it read its inputs. Nothing was sent.',
  hint: cancelledBefore.hint,
}

function describeCutShort(executionIds: readonly string[]) {
  const message = 'The step was cancelled, and ended before it could report its state.'
  const newest = executionIds.at(-1)
  if (newest === undefined) {
    const hint =
      "Before you re-run this job, look in the service's dashboard for what this step started or created."
    return { message: `${message} It is not known whether a request was accepted.`, hint }
  }
  const older = executionIds.length - 1
  const others = older > 0 ? ` The log of this step has ${describeCount(older, 'other id')}.` : ''
  return {
    message: `${message} Its newest execution is ${newest}.${others}`,
    hint: `A run may still be running. Fetch it with ${waitAction} and execution-id ${newest}.`,
  }
}

/** Describes a bug of this action, in one line. The stack trace is only in the debug log. */
export function describeBug(error: unknown): Notice {
  const thrown = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const report = `Report it at ${reportAt} with the log of this step. Debug logging shows where the error happened.`
  return noticeOf(headingOf('bug', {}), [thrown], report)
}

/** The reason and the advice if the runner's disk is full. RUNNER_TEMP is a folder on this disk. */
export const diskFull = {
  why: "The runner's disk is full (RUNNER_TEMP).",
  cure: 'Free space before this step, or use a larger runner',
}

/** Returns the advice to make room for outputs, as the beginning of a sentence. */
export function onceWritable(why: string): string {
  return why.includes('(ENOSPC)') ? `${diskFull.cure}; then` : 'When the file can be written,'
}

/**
 * Returns the error of a step that cannot write a file or folder, and therefore sends no request.
 * `what` names the file or folder with its path. `owner` is the id of its owner, if this is another
 * user who may write.
 */
export function notWritable(what: string, error: unknown, owner?: number): ActionError {
  const heading = headingOf('not-writable', {})
  if (isDiskFull(error)) {
    const hint = `${diskFull.cure}; then re-run this job.`
    return new ActionError(`${diskFull.why} No request was sent.`, { ...heading, hint })
  }
  const asOwner = `In a job with container:, set its options: --user ${owner}, the owner. Or let`
  const hint = `${owner === undefined ? 'Let' : asOwner} this step write ${what}. Then re-run this job.`
  const why = `Cannot write ${what}: ${describeFileProblem(error)}. No request was sent.`
  return new ActionError(why, { ...heading, hint, cause: error })
}
