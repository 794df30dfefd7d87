/** The annotation of a run that failed, or can't be followed: its first line says why. */
import type { Cause } from '../execution/cause.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { maxCauseLength, type Annotation } from './annotation.ts'
import { headingOf } from './catalogue.ts'
import { describeElapsed } from './quantities.ts'
import { hintFor, isCauseInLog, nameOf, whatHappened, type FailureKind } from './failure.ts'
import type { Show } from './text/secrets.ts'
import { showTexts } from './text/shown-texts.ts'
import { inline } from './text/untrusted-text.ts'

/** Where people find more. */
export interface FailurePlace {
  artifactUrl?: string | undefined
  /** The log on the runner's disk, for where there is no artifact. */
  logFile?: string | undefined
  /** The automation keeps no log. */
  isLogUnkept?: boolean | undefined
  /** A re-run of the job takes the execution over, and starts nothing: for certain. */
  isTakenOver?: boolean | undefined
  /** The workspace's own path (relative, with `/`) of a file that a traceback names, if it is there. */
  findInWorkspace?: ((file: string) => string | undefined) | undefined
}

type Subject = {
  [Fact in 'automation' | 'executionId' | 'duration' | 'cause']?: ExecutionReport[Fact] | undefined
} & {
  /** What is said of all executions of the step, fit to be shown. */
  attemptsLine?: string | undefined
}

const maxNameLength = 100
const maxAddressLength = 500
// The others are about runs that may go on.
const over = new Set<FailureKind['kind']>([
  'error',
  'container-error',
  'stopped',
  'invalid-result',
  'result-not-fetched',
  'copy-not-written',
  'outputs-not-written',
])

/**
 * The title and message for a run that failed; they fit the runner's limit by construction. `show`
 * says what people may see of a text (`Secrets.show`), before anything of it is cut.
 */
export function describeFailure(
  given: FailureKind,
  report: Subject,
  place: FailurePlace,
  show: Show,
): Annotation {
  const failure = showTexts(given, show)
  const cause = report.cause && showTexts(report.cause, show)
  const shown = {
    automation: report.automation && show(report.automation),
    executionId: report.executionId && show(report.executionId),
    duration: report.duration,
  }
  const { executionId } = shown
  const hint = hintFor(failure, { executionId, isTakenOver: place.isTakenOver })
  const message = [
    ...whyLines(failure, cause),
    howFar(failure, shown, hint),
    report.attemptsLine,
    whereTheLogIs(failure, place, show),
    `Next: ${hint}`,
  ]
  return {
    ...headingOf(nameOf(failure), { subject: subjectOf(shown) }),
    message: message.filter((part) => part !== undefined).join('\n'),
    ...placeInWorkspace(cause, place),
  }
}

/** The first line says most: the cause where the log has one, else what happened. */
export function whyLines(failure: FailureKind, cause: Cause | undefined): string[] {
  if (failure.kind === 'invalid-result') {
    return [failure.problem, ...(failure.more === undefined ? [] : [failure.more])]
  }
  if (!cause || !isCauseInLog(failure)) return [whatHappened(failure)]
  if (!cause.isLastLine) return [causeLine(cause), whatHappened(failure)]
  return [whatHappened(failure), `Last line of the log: ${causeLine(cause)}`]
}

/** One line: the cause, and where it came from. */
export function causeLine({ text, file, line }: Cause): string {
  const place = file === undefined ? '' : inline(file, maxAddressLength)
  const where = line === undefined ? place : `${place}, line ${line}`
  return inline(text, maxCauseLength) + (place ? ` (${where})` : '')
}

function subjectOf({ automation, executionId }: Subject): string {
  if (automation !== undefined) return inline(automation, maxNameLength)
  return executionId === undefined
    ? 'The automation'
    : `Execution ${inline(executionId, maxNameLength)}`
}

function howFar(
  { kind }: FailureKind,
  { executionId, duration }: Subject,
  hint: string,
): string | undefined {
  // Without an id there is no run that anybody watched.
  if (executionId === undefined) return undefined
  const id = inline(executionId, maxNameLength * 2)
  // Each fact once: most hints name the execution.
  const named = hint.includes(id) ? '' : `execution ${id}`
  if (duration === undefined) return named ? `This is ${named}.` : undefined
  const ran = over.has(kind) ? 'It ran for' : 'Watched for'
  return `${ran} ${describeElapsed(duration)}${named ? ` (${named})` : ''}.`
}

function whereTheLogIs(
  failure: FailureKind,
  { artifactUrl, logFile, isLogUnkept }: FailurePlace,
  show: Show,
): string | undefined {
  if (isLogUnkept && isCauseInLog(failure)) {
    return "Log: not kept by the automation; turn it on in the service's dashboard."
  }
  if (artifactUrl !== undefined)
    return `Log: in the artifact ${inline(show(artifactUrl), maxAddressLength)}`
  return logFile === undefined
    ? undefined
    : `Log: on the runner, ${inline(show(logFile), maxAddressLength)}`
}

function placeInWorkspace(
  cause: Cause | undefined,
  { findInWorkspace }: FailurePlace,
): Partial<Annotation> {
  const file = cause?.file === undefined ? undefined : findInWorkspace?.(cause.file)
  if (file === undefined) return {}
  return cause?.line === undefined ? { file } : { file, line: cause.line }
}
