/** The one annotation of a failed step: at 3 a.m., its first line tells why. */
import { describeElapsed } from './elapsed.ts'
import { hintFor, logTellsCause, titleOf, whatHappened, type FailureKind } from './failure.ts'
import { cut } from '../cut.ts'
import { inline } from './text/untrusted-text.ts'

export type { FailureKind } from './failure.ts'

/** What GitHub shows beside the run and, with a file and line, in the diff. */
export interface Annotation {
  title: string
  message: string
  /** A path relative to the workspace, with `/`. */
  file?: string
  line?: number
}

/** Why the automation failed, as read from its log. */
export interface FailureCause {
  text: string
  /** A path on the machine that ran the automation. */
  file?: string
  line?: number
  /** Nothing in the log reads like an error: `text` is only its last line. */
  isLastLine?: boolean
}

export interface FailureFacts {
  failure: FailureKind
  /** The automation's name; absent where only the execution is known (`wait`). */
  automation?: string | undefined
  executionId?: string | undefined
  /** From the start, or from the first check, to the end as we saw it; in milliseconds. */
  duration?: number | undefined
  cause?: FailureCause | undefined
  artifactUrl?: string | undefined
  /** The log on the runner's disk, for where there is no artifact. */
  logFile?: string | undefined
  /** The workspace's own path (relative, with `/`) of a file that a traceback names, if it is there. */
  findInWorkspace?: ((file: string) => string | undefined) | undefined
}

/** How the runner counts: UTF-16 units of the message, before it is escaped. */
export const longestMessage = 4096
const longestTitle = 200
const longestName = 100
const longestCause = 1_200
const longestAddress = 500
// The others are about runs that may go on.
const over = new Set<FailureKind['kind']>([
  'error',
  'container-error',
  'stopped',
  'result-not-fetched',
  'copy-not-written',
])

/** The title and message for a run that failed; they fit the runner's limit by construction. */
export function describeFailure(facts: FailureFacts): Annotation {
  const { failure, executionId, cause } = facts
  const hint = hintFor(failure, executionId)
  const message = [
    ...whyLines(failure, cause),
    howFar(facts, hint),
    whereTheLogIs(facts),
    `Next: ${hint}`,
  ]
  return {
    title: titleOf(failure, subjectOf(facts)),
    message: message.filter((part) => part !== undefined).join('\n'),
    ...placeInWorkspace(facts),
  }
}

/** Anything else that ended a step: bad inputs, a refused start, a refused project. */
export function describeProblem({
  title,
  message,
  hint,
}: {
  title: string
  /** What happened; one line or several. */
  message: string
  hint: string
}): Annotation {
  const next = `Next: ${inline(hint, longestMessage / 2)}`
  const told = message.split(/\r?\n/).map((line) => inline(line, longestMessage / 2))
  return {
    title: inline(title, longestTitle),
    message: `${cut(told.join('\n'), longestMessage - next.length - 1)}\n${next}`,
  }
}

/** A bug of ours: says that it is ours and where to report it. No stack: that is for debug. */
export function describeBug(error: unknown, reportAt: string): Annotation {
  const thrown = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return describeProblem({
    title: 'A bug in this action, not in your workflow',
    message: inline(thrown, longestCause),
    hint: `Report it at ${reportAt} with this step's log; debug logging shows where it happened.`,
  })
}

/** The first line tells most: the cause where the log tells one, else what happened. */
export function whyLines(failure: FailureKind, cause: FailureCause | undefined): string[] {
  if (!cause || !logTellsCause(failure)) return [whatHappened(failure)]
  if (!cause.isLastLine) return [causeLine(cause), whatHappened(failure)]
  return [whatHappened(failure), `Last line of the log: ${causeLine(cause)}`]
}

/** One line: the cause, and where it came from. */
export function causeLine({ text, file, line }: FailureCause): string {
  const place = file === undefined ? '' : inline(file, longestAddress)
  const where = line === undefined ? place : `${place}, line ${line}`
  return inline(text, longestCause) + (place ? ` (${where})` : '')
}

function subjectOf({ automation, executionId }: FailureFacts): string {
  if (automation !== undefined) return inline(automation, longestName)
  return executionId === undefined
    ? 'The automation'
    : `Execution ${inline(executionId, longestName)}`
}

function howFar(
  { executionId, duration, failure }: FailureFacts,
  hint: string,
): string | undefined {
  // Each fact once: most hints name the execution.
  const id =
    executionId === undefined || hint.includes(inline(executionId, longestName * 2))
      ? ''
      : `execution ${inline(executionId, longestName * 2)}`
  if (duration === undefined) return id ? `This is ${id}.` : undefined
  const ran = over.has(failure.kind) ? 'It ran for' : 'Watched for'
  return `${ran} ${describeElapsed(duration)}${id ? ` (${id})` : ''}.`
}

function whereTheLogIs({ artifactUrl, logFile }: FailureFacts): string | undefined {
  if (artifactUrl !== undefined)
    return `Log: in the artifact ${inline(artifactUrl, longestAddress)}`
  return logFile === undefined
    ? undefined
    : `Log: on the runner, ${inline(logFile, longestAddress)}`
}

function placeInWorkspace({ cause, findInWorkspace }: FailureFacts): Partial<Annotation> {
  const file = cause?.file === undefined ? undefined : findInWorkspace?.(cause.file)
  if (file === undefined) return {}
  return cause?.line === undefined ? { file } : { file, line: cause.line }
}
