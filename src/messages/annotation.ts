/** The type of an annotation, and the annotations that do not depend on a run. */
import { cut } from '../cut.ts'
import { isDiskFull, messageOf } from '../errors.ts'
import { reportAt } from '../version.ts'
import { headingOf, type Entry, type Heading } from './catalogue.ts'
import type { Show } from './text/secrets.ts'
import { inline } from './text/untrusted-text.ts'

/** An annotation beside the workflow run. With a file and a line, also in the diff. */
export interface Annotation extends Heading {
  message: string
  /** A path relative to the workspace, with `/`. */
  file?: string
  line?: number
  /** The link to the run in the service's dashboard: a line of its own, after the message. */
  executionUrl?: string | undefined
}

/** The runner's limit for an annotation: UTF-16 units before escaping. */
export const maxAnnotationLength = 4096
/** The limit for the link to the run. */
export const maxLinkLength = 500
/** The rest is for the last two lines: the link to the run, and the address of the entry. */
export const maxMessageLength = maxAnnotationLength - 256 - (maxLinkLength + 12)
/** The limit for a thrown error or a cause from the log. */
export const maxErrorLength = 1_200
const maxTitleLength = 200

/** Anything else that ended a step: bad inputs, a refused start, a refused project. */
export interface Problem extends Heading {
  /** What happened, in one or more lines. */
  message: string
  /** The advice. */
  hint: string
}

export function describeProblem({ title, entry, message, hint }: Problem): Annotation {
  const next = `Next: ${inline(hint, maxMessageLength / 2)}`
  const lines = message.split(/\r?\n/).map((line) => inline(line, maxMessageLength / 2))
  return {
    title: inline(title, maxTitleLength),
    entry,
    message: `${cut(lines.join('\n'), maxMessageLength - next.length - 1)}\n${next}`,
  }
}

/** Returns the problem with all texts redacted. Redaction would miss a secret that was cut. */
export function showProblem({ title, entry, message, hint }: Problem, show: Show): Problem {
  return { title: show(title), entry, message: show(message), hint: show(hint) }
}

/** An error for people: what happened (`message`) and what to do (`hint`). */
export class ActionError extends Error implements Problem {
  override readonly name: string = 'ActionError'
  /** The annotation's heading: a few words. */
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

/** Returns the annotation for a bug of this action. Its stack is only in the debug log. */
export function describeBug(error: unknown): Annotation {
  const thrown = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return describeProblem({
    ...headingOf('bug', {}),
    message: inline(thrown, maxErrorLength),
    hint: `Report it at ${reportAt} with the log of this step. Debug logging shows where the error happened.`,
  })
}

/** The disk of the runner's temporary folder. */
export const diskFull = {
  why: "The runner's disk is full (RUNNER_TEMP).",
  cure: 'Free space before this step, or use a larger runner',
}

/** Returns the error for a step that cannot make a folder for files. It has started nothing. */
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
