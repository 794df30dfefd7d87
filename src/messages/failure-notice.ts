/** Composes the notice of a run that failed or that the step could not follow to its end. */
import { executionIdOf, type End, type RunReport } from '../execution/report.ts'
import { headingOf } from './catalogue.ts'
import type { Failure } from './failure.ts'
import type { Notice } from './notice.ts'
import { describeNotRetried } from './progress.ts'
import { describeElapsed } from './quantities.ts'

/** The report of a run. A step that does not wait for the run knows only target and end. */
type Described = Pick<RunReport, 'target' | 'end'> & Partial<RunReport>

/** Returns the notice of a failed run. `artifactUrl` is undefined if there is no artifact. */
export function noticeOfFailure(
  failure: Failure,
  report: Described,
  artifactUrl: string | undefined,
): Notice {
  const { target, end } = report
  const facts = [
    howFar(failure, report),
    describeNotRetried(report),
    whereTheLogIs(report, artifactUrl),
  ]
  return {
    ...headingOf(failure.title, { subject: target?.automation ?? nameOf(end) }),
    why: failure.why,
    facts: facts.filter((fact) => fact !== undefined),
    advice: [`Next: ${failure.next}`],
  }
}

function nameOf(end: End): string {
  const executionId = executionIdOf(end)
  return executionId === undefined ? 'The automation' : `Execution ${executionId}`
}

function howFar({ next }: Failure, { end, duration, watched }: Described): string | undefined {
  const executionId = executionIdOf(end)
  // If there is no execution id, the step has not watched a run.
  if (executionId === undefined) return undefined
  // Most hints already contain the execution id. The notice must not contain the id twice.
  const named = next.includes(executionId) ? '' : `execution ${executionId}`
  if (duration === undefined || watched === 'one-check')
    return named ? `This is ${named}.` : undefined
  const isWhole = end.kind === 'collected' && watched === 'all'
  const ran = isWhole ? 'It ran for' : 'This step watched it for'
  return `${ran} ${describeElapsed(duration)}${named ? ` (${named})` : ''}.`
}

function whereTheLogIs({ end }: Described, artifactUrl: string | undefined): string | undefined {
  if (end.kind !== 'collected' || end.files.log.kind !== 'file') return undefined
  return artifactUrl === undefined
    ? `Log: on the runner, ${end.files.log.path}`
    : `Log: in the artifact ${artifactUrl}`
}
