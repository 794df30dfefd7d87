import { checkAttempt } from './check-reruns.ts'
import { checkBatch } from './check-batch.ts'
import { checkCancellation } from './check-cancellation.ts'
import { checkConclusion } from './check-conclusion.ts'
import { checkCommitStatus } from './check-commit-status.ts'
import { checkDisruption } from './check-disruption.ts'
import { checkEnding } from './check-ending.ts'
import { checkFirstLine } from './check-first-line.ts'
import { checkFinality, checkHolds, checkInterval } from './check-interval.ts'
import { checkLeaks } from './check-leaks.ts'
import { checkPromise } from './check-promise.ts'
import { checkRecord } from './check-record.ts'
import { checkResults } from './check-results.ts'
import { checkRetries } from './check-retries.ts'
import { checkShownAtOnce, checkStart } from './check-start.ts'
import { hasNoEnd, outcomeOf } from './execution-plan.ts'
import { conclusionOf, type FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'

/** Returns all violations of a step. The checks do not use the code of the product. */
export function checkStep(step: FinishedStep): Violation[] {
  if (step.plan.action === 'batch') return checkBatch(step)
  const attempt = [
    ...checkAttempt(step),
    ...checkFirstLine(step),
    ...checkRetries(step),
    ...checkInterval(step),
    ...checkHolds(step),
    ...checkFinality(step),
    ...checkShownAtOnce(step),
    ...checkRecord(step, [step.traffic]),
  ]
  // If the process was killed, only its actions before that time are checked.
  if (step.run.killed) return attempt
  const ending = checkEnding(step)
  if (step.run.hung !== undefined) return ending
  return [
    ...ending,
    ...checkResults(step),
    ...checkCommitStatus(step),
    ...checkStart(step),
    ...checkCancellation(step, [step.traffic]),
    ...attempt,
    ...checkPromise(step),
    ...checkConclusion(step),
    ...checkLeaks(step),
    ...checkDisruption(step),
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
