/** What an annotation is, and those of steps that end for another reason than their run. */
import { cut } from '../cut.ts'
import { isDiskFull, messageOf } from '../errors.ts'
import { reportAt } from '../version.ts'
import { headingOf, type Entry, type Heading } from './catalogue.ts'
import { diskFull } from './file-problem.ts'
import type { Show } from './text/secrets.ts'
import { inline } from './text/untrusted-text.ts'

/** What GitHub shows beside the run and, with a file and line, in the diff. */
export interface Annotation extends Heading {
  message: string
  /** A path relative to the workspace, with `/`. */
  file?: string
  line?: number
}

/** What the runner takes of an annotation: UTF-16 units, before they are escaped. */
export const maxAnnotationLength = 4096
/** The rest is for the last line, the address of the entry. */
export const maxMessageLength = maxAnnotationLength - 256
/** Of what was thrown, or the log's cause. */
export const maxCauseLength = 1_200
const maxTitleLength = 200

/** Anything else that ended a step: bad inputs, a refused start, a refused project. */
export interface Problem extends Heading {
  /** What happened; one line or several. */
  message: string
  /** What to do. */
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

/** The same with what people may see of its texts: a truncated secret no longer matches. */
export function showProblem({ title, entry, message, hint }: Problem, show: Show): Problem {
  return { title: show(title), entry, message: show(message), hint: show(hint) }
}

/**
 * An error for people: what happened (`message`) and what to do (`hint`). Where it is thrown, the
 * step fails with it as its annotation.
 */
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

/** A bug of ours: says that it is ours and where to report it. No stack: that is for debug. */
export function describeBug(error: unknown): Annotation {
  const thrown = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return describeProblem({
    ...headingOf('bug', {}),
    message: inline(thrown, maxCauseLength),
    hint: `Report it at ${reportAt} with this step's log; debug logging shows where it happened.`,
  })
}

/** How a step ends that has no folder for what its runs leave: it starts none. */
export function nothingStarted(automation: string, error: unknown): ActionError {
  const isFull = isDiskFull(error)
  const message = isFull
    ? `${diskFull.why} Nothing was started.`
    : `Nothing was started: ${messageOf(error)}.`
  return new ActionError(message, {
    ...headingOf('not-started', { subject: automation }),
    hint: isFull
      ? `${diskFull.cure}; then re-run this job.`
      : 'Let RUNNER_TEMP name a folder that this step can write to. Then re-run this job.',
    cause: error,
  })
}
