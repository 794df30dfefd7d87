/** Checks a batch: each run like a single run, and the limits that all runs share. */
import { checkBatchReport } from './check-batch-report.ts'
import { checkCancellation } from './check-cancellation.ts'
import { checkBatchAttempt } from './check-reruns.ts'
import { checkEnding } from './check-ending.ts'
import { checkFinality, checkInterval } from './check-interval.ts'
import { checkFiles, checkTexts } from './check-leaks.ts'
import { checkPace } from './check-pace.ts'
import { checkPromise } from './check-promise.ts'
import { checkRecord } from './check-record.ts'
import { checkRetries } from './check-retries.ts'
import { checkPatience, checkResending, checkSentInTime, checkShownAtOnce } from './check-start.ts'
import { whyWrong } from './check-conclusion.ts'
import { checkResults } from './check-results.ts'
import type { FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'
import { isAccepted, isUnclear } from './traffic.ts'
import type { Row } from './batch-files.ts'

export function checkBatch(step: FinishedStep): Violation[] {
  step.traffic.noteProofs()
  const runs = runsOf(step)
  const ofStep = [
    ...checkPace(step),
    ...runs.flatMap((view) => [
      ...checkInterval(view),
      ...checkFinality(view),
      ...checkRetries(view),
      ...checkResending(view.traffic.of('start')),
      ...checkPatience(view),
      ...checkSentInTime(view),
      ...checkShownAtOnce(view),
    ]),
    ...checkRecord(
      step,
      runs.map(({ traffic }) => traffic),
    ),
    ...check(
      step.traffic.unknownIds.length === 0,
      'executions taken over from another step',
      step.traffic.unknownIds.join(),
    ),
    // If the process was killed, only its actions before that time are checked.
    ...(step.run.killed ? [] : checkEnding(step)),
    ...(step.run.killed || step.run.hung !== undefined ? [] : checkReports(step, runs)),
  ]
  // This call must come last, because it stores facts for the checks of the next attempt.
  return [...ofStep, ...checkBatchAttempt(step, runs)]
}

function checkReports(step: FinishedStep, runs: readonly FinishedStep[]): Violation[] {
  const { batch } = step.files
  const strays = batch?.strays ?? []
  return [
    ...checkBatchReport(step),
    ...checkTexts(step),
    ...checkResults(step),
    ...checkPromise(step),
    ...checkCancellation(
      step,
      runs.map(({ traffic }) => traffic),
    ),
    ...check(strays.length === 0, 'files outside of the allowed folders', strays.join()),
    ...(batch?.rows ?? []).flatMap((row) => checkRow(row, runs[row.number - 1], step)),
  ]
}

/** Returns one view of the step for each run. The view of a run looks like a separate step. */
function runsOf(step: FinishedStep): FinishedStep[] {
  return step.context.runs.map((context) => {
    const { service } = context
    const knows = (id: string) => service.executions.find(id) !== undefined
    return { ...step, context, traffic: step.traffic.forService(service, knows) }
  })
}

function checkRow(row: Row, view: FinishedStep | undefined, step: FinishedStep): Violation[] {
  if (!view) return []
  const kept = ({ result_file: result, log_file: log }: Row) => ({
    result: result === null ? undefined : step.files.batch?.kept.get(result),
    log: log === null ? undefined : step.files.batch?.kept.get(log),
  })
  const files = { ...view.files, ...kept(row), leftovers: [] }
  const why = whyWrongRow(row, view)
  const unreported = unreportedIn(row, view)
  return [
    ...check(
      why === undefined,
      'conclusions that contradict the service',
      `run ${row.number}, ${row.conclusion}: ${why}`,
    ),
    ...check(
      unreported.length === 0,
      'executions of a batch that are not reported',
      unreported.join(),
    ),
    ...checkFiles({ ...view, files }),
  ]
}

function whyWrongRow({ conclusion }: Row, view: FinishedStep): string | undefined {
  const { traffic, plan } = view
  const starts = traffic.of('start')
  if (conclusion === 'not-started' || conclusion === 'refused') {
    const began = starts.some(({ seen }) => isAccepted(seen) || isUnclear(seen))
    return began ? 'a run may exist' : undefined
  }
  const last = starts.at(-1)?.seen
  if (last && isUnclear(last)) return conclusion === 'unknown' ? undefined : 'a run may exist'
  // With `timeout: 0s`, a run may time out before its first check.
  if (conclusion === 'timed-out' && plan.timeout === 0) return undefined
  return whyWrong(conclusion, view)
}

/**
 * Returns ids that the step knew and did not report. The log must contain all ids that it does not
 * escape. The results must contain the newest id of each run, and no id of another run.
 */
function unreportedIn(
  { execution_id: id }: Row,
  { traffic, context, run }: FinishedStep,
): string[] {
  const { service } = context
  const lines = run.recorded.lines
  const starts = traffic.of('start')
  const known = starts.flatMap(({ seen }) => (isAccepted(seen) ? (seen.executionId ?? []) : []))
  const last = starts.at(-1)?.seen
  const isLastAccepted = last !== undefined && isAccepted(last)
  const foreign = id !== null && !service.executions.find(id) ? [`${id} of another run`] : []
  return [
    ...known.filter((one) => /^[\da-f-]+$/.test(one) && !lines.some((line) => line.includes(one))),
    ...(isLastAccepted && id !== known.at(-1) ? [`${known.at(-1)} in the results`] : []),
    ...foreign,
  ]
}
