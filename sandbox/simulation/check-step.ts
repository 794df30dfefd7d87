import { checkBatchReport } from './check-batch-report.ts'
import { checkCancellation } from './check-cancellation.ts'
import { checkConclusion, checkResults } from './check-conclusion.ts'
import { checkCommitStatus } from './check-commit-status.ts'
import { checkDisruption } from './check-disruption.ts'
import { checkEnding } from './check-ending.ts'
import { checkFirstLine } from './check-first-line.ts'
import { checkFinality, checkHolds, checkInterval } from './check-interval.ts'
import { checkFiles, checkTexts } from './check-leaks.ts'
import { checkPace } from './check-pace.ts'
import { checkPromise, checkRecord } from './check-record.ts'
import { checkAttempt, checkBatchAttempt } from './check-reruns.ts'
import { checkRetries } from './check-retries.ts'
import { checkRow } from './check-row.ts'
import {
  checkPatience,
  checkResending,
  checkSentInTime,
  checkShownAtOnce,
  checkStart,
} from './check-start.ts'
import { hasNoEnd, outcomeOf } from './execution-plan.ts'
import { conclusionOf, type FinishedStep } from './finished-step.ts'
import { check, checkNone, type Violation } from './invariants.ts'

/** Returns all violations of a step. The checks do not use the code of the product. */
export function checkStep(step: FinishedStep): Violation[] {
  const isBatch = step.plan.action === 'batch'
  if (isBatch) step.traffic.noteProofs()
  const runs = isBatch ? runsOf(step) : [step]
  const { killed, hung } = step.run
  return [
    ...(isBatch ? checkPace(step) : [...checkFirstLine(step), ...checkHolds(step)]),
    ...runs.flatMap(checkRun),
    ...checkRecord(
      step,
      runs.map(({ traffic }) => traffic),
    ),
    // If the process was killed, only its actions before that time are checked.
    ...(killed ? [] : checkEnding(step)),
    ...(killed || hung !== undefined ? [] : checkReports(step, runs)),
    // These calls must come last, because the second one stores facts for the next attempt.
    ...(isBatch ? checkBatchAttempt(step, runs) : checkAttempt(step)),
  ]
}

/** Returns one view of a batch for each of its runs. The view of a run looks like a single run. */
function runsOf(step: FinishedStep): FinishedStep[] {
  return step.context.runs.map((context) => {
    const { service } = context
    const knows = (id: string) => service.executions.find(id) !== undefined
    return { ...step, context, traffic: step.traffic.forService(service, knows) }
  })
}

/** Checks the requests of one run. */
function checkRun(view: FinishedStep): Violation[] {
  return [
    ...checkInterval(view),
    ...checkFinality(view),
    ...checkRetries(view),
    ...checkResending(view),
    ...checkPatience(view),
    ...checkSentInTime(view),
    ...checkShownAtOnce(view),
  ]
}

/** Checks what the step reports. */
function checkReports(step: FinishedStep, runs: readonly FinishedStep[]): Violation[] {
  const { batch } = step.files
  return [
    ...checkTexts(step),
    ...checkResults(step),
    ...checkPromise(step),
    ...checkCancellation(
      step,
      runs.map(({ traffic }) => traffic),
    ),
    ...(batch
      ? [
          ...checkBatchReport(step),
          ...checkNone('files outside of the allowed folders', batch.strays),
          ...(batch.rows ?? []).flatMap((row) => {
            const view = runs[row.number - 1]
            return view ? checkRow(row, view, step) : []
          }),
        ]
      : [
          ...checkStart(step),
          ...checkCommitStatus(step),
          ...checkConclusion(step),
          ...checkFiles(step),
          ...checkDisruption(step),
        ]),
  ]
}

/** Checks that a `wait` step without faults gets the conclusion and all files of a finished run. */
export function checkFetching({ run, context, files }: FinishedStep): Violation[] {
  const plan = context.service.executions.last?.plan ?? context.plan
  const expected = outcomeOf(plan.flags)
  const conclusion = conclusionOf(run)
  const { result, log } = context.objects
  const isComplete = hasNoEnd(plan) || ((!result || files.result) && (!log || files.log))
  const invariant = 'finished runs that could not be fetched'
  const why = `${conclusion} instead of ${expected}`
  return [
    ...check(conclusion === expected, invariant, why),
    ...check(Boolean(isComplete), invariant, 'a file is missing'),
  ]
}
