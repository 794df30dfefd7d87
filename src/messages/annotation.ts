/** Defines annotations, and composes the annotations that are not about a run. */
import { cut } from '../cut.ts'
import { isDiskFull, messageOf } from '../errors.ts'
import { reportAt } from '../version.ts'
import { headingOf, type Entry, type Heading } from './catalogue.ts'
import type { Show } from './text/secrets.ts'
import { flatten, inline } from './text/untrusted-text.ts'

export interface Annotation extends Heading {
  message: string
}

/** The runner's limit for the length of an annotation, in UTF-16 units before escaping. */
export const maxAnnotationLength = 4096
export const maxLinkLength = 500
/** The maximum length of a message. The help line (256 units) and the link to the run follow it. */
export const maxMessageLength = maxAnnotationLength - 256 - (maxLinkLength + 12)
const maxTitleLength = 200

/** An error of a step that has no run to wait for, for example because an input is invalid. */
export interface Problem extends Heading {
  message: string
  hint: string
}

/** Redacts each text before it is cut, because redaction misses a secret that was cut. */
export function describeProblem({ title, entry, message, hint }: Problem, show: Show): Annotation {
  const next = `Next: ${inline(show(hint), maxMessageLength / 2)}`
  const lines = show(message)
    .split(/\r?\n/)
    .map((line) => inline(line, maxMessageLength / 2))
  return {
    title: inline(show(title), maxTitleLength),
    entry,
    message: `${cut(lines.join('\n'), maxMessageLength - next.length - 1)}\n${next}`,
  }
}

/** An error for people. `message` says what happened. `hint` says what to do. */
export class ActionError extends Error implements Problem {
  override readonly name: string = 'ActionError'
  readonly title: string
  readonly entry: Entry
  readonly hint: string

  constructor(message: string, options: Heading & { hint: string; cause?: unknown }) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.title = options.title
    this.entry = options.entry
    this.hint = options.hint
  }
}

/** Describes a bug of this action, in one line. The stack trace is only in the debug log. */
export function describeBug(error: unknown): Problem {
  const thrown = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return {
    ...headingOf('bug', {}),
    message: flatten(thrown),
    hint: `Report it at ${reportAt} with the log of this step. Debug logging shows where the error happened.`,
  }
}

/** The reason and the advice if the runner's disk is full. RUNNER_TEMP is a folder on this disk. */
export const diskFull = {
  why: "The runner's disk is full (RUNNER_TEMP).",
  cure: 'Free space before this step, or use a larger runner',
}

/** Returns the error of a step that started no run because a folder could not be created. */
export function nothingStarted(automation: string, error: unknown): ActionError {
  const isFull = isDiskFull(error)
  const message = isFull
    ? `${diskFull.why} Nothing was started.`
    : `Nothing was started: ${messageOf(error)}.`
  return new ActionError(message, {
    ...headingOf('not-started', { subject: automation }),
    hint: isFull
      ? `${diskFull.cure}; then re-run this job.`
      : 'Set RUNNER_TEMP to a folder that this step can write to. Then re-run this job.',
    cause: error,
  })
}
