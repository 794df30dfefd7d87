/** Composes the annotation of a run that failed or that the step could not follow to its end. */
import type { Cause } from '../execution/cause.ts'
import { isInLog } from '../execution/conclusion.ts'
import { executionIdOf, type RunReport } from '../execution/report.ts'
import type { Annotation } from './annotation.ts'
import { headingOf } from './catalogue.ts'
import { maxIdLength } from '../service/names.ts'
import { describeElapsed } from './quantities.ts'
import type { Failure } from './failure.ts'
import { causeSentence } from './cause.ts'
import { describeNotRetried } from './progress.ts'
import { showWords, type Show } from './text/secrets.ts'
import { inline } from './text/untrusted-text.ts'

const maxNameLength = 100
const maxLineLength = 1_600
const maxAddressLength = 500

/** What the annotation says of a run. A step that does not wait knows only target and end. */
type Described = Pick<RunReport, 'target' | 'end'> & Partial<RunReport>

/**
 * Returns the annotation of a failed run. The annotation is not longer than the runner allows.
 * `artifactUrl` is undefined if there is no artifact.
 */
export function describeFailure(
  failure: Failure,
  report: Described,
  artifactUrl: string | undefined,
  show: Show,
): Annotation {
  const { target, end } = report
  const automation = target && show(target.automation)
  const id = executionIdOf(end)
  const executionId = id === undefined ? undefined : show(id)
  const cause = end.kind === 'collected' ? end.cause : undefined
  const notRetried = describeNotRetried(report)
  const message = [
    ...whyLines(failure, cause).map((line) => inline(show(line), maxLineLength)),
    howFar(failure, executionId, report),
    notRetried && showWords(notRetried, show),
    whereTheLogIs(report, artifactUrl, show),
    `Next: ${failure.next}`,
  ]
  return {
    ...headingOf(failure.title, { subject: subjectOf(automation, executionId) }),
    message: message.filter((part) => part !== undefined).join('\n'),
  }
}

/** Returns why the run failed. The most informative line comes first. */
export function whyLines(failure: Failure, cause: Cause | undefined): string[] {
  const { title, happened, more } = failure
  if (more !== undefined) return [happened, more]
  if (!cause || !isInLog(title)) return [happened]
  const sentence = causeSentence(cause, happened)
  return cause.isLastLine ? [sentence] : [sentence, happened]
}

function subjectOf(automation: string | undefined, executionId: string | undefined): string {
  if (automation !== undefined) return inline(automation, maxNameLength)
  return executionId === undefined
    ? 'The automation'
    : `Execution ${inline(executionId, maxNameLength)}`
}

function howFar(
  { next }: Failure,
  executionId: string | undefined,
  { end, duration, watched }: Described,
): string | undefined {
  // If there is no execution id, the step has not watched a run.
  if (executionId === undefined) return undefined
  const id = inline(executionId, maxIdLength)
  // Most hints already contain the execution id. The annotation must not contain the id twice.
  const named = next.includes(id) ? '' : `execution ${id}`
  if (duration === undefined || watched === 'one-check')
    return named ? `This is ${named}.` : undefined
  const isWhole = end.kind === 'collected' && watched === 'all'
  const ran = isWhole ? 'It ran for' : 'This step watched it for'
  return `${ran} ${describeElapsed(duration)}${named ? ` (${named})` : ''}.`
}

function whereTheLogIs(
  { end }: Described,
  artifactUrl: string | undefined,
  show: Show,
): string | undefined {
  if (end.kind !== 'collected' || end.files.log.kind !== 'file') return undefined
  return artifactUrl === undefined
    ? `Log: on the runner, ${inline(show(end.files.log.path), maxAddressLength)}`
    : `Log: in the artifact ${inline(show(artifactUrl), maxAddressLength)}`
}
