/** Checks that a retry follows only an execution that certainly ended and that may be retried. */
import { outcomeOf } from './execution-plan.ts'
import type { FinishedStep } from './finished-step.ts'
import { check, checkNone, type Violation } from './invariants.ts'
import type { StepPlan } from './step-plan.ts'
import { isAccepted, type Exchange } from './traffic.ts'

export function checkRetries({ plan, traffic }: FinishedStep): Violation[] {
  const starts = traffic.of('start')
  const accepted = starts.filter(({ seen }) => isAccepted(seen))
  const undue = accepted.flatMap((start) => {
    const next = starts.find(({ sentAt }) => sentAt >= start.at)
    return next ? whyNotDue(start, next, plan, traffic.of('status')) : []
  })
  const { overlaps } = traffic
  const invariant = 'executions started although no retry was due'
  return [
    ...checkNone('executions started while another ran', overlaps),
    ...checkNone(invariant, undue),
    ...check(accepted.length <= plan.retries + 1, invariant, `${accepted.length} executions`),
  ]
}

/** Returns the last status before the retry if this status is not an end that may be retried. */
function whyNotDue(
  { at }: Exchange,
  next: Exchange,
  { retryOn, isChecked }: StepPlan,
  checks: readonly Exchange[],
): string[] {
  const last = checks.findLast(
    ({ seen, sentAt, at: seenAt }) => seen.record && sentAt >= at && seenAt <= next.sentAt,
  )
  const record = last?.seen.record
  const outcome = record?.finished ? outcomeOf(record) : 'open'
  const isRetried = retryOn.includes(
    isChecked && outcome === 'success' ? 'invalid-result' : outcome,
  )
  if (isRetried) return []
  return [`after ${JSON.stringify(record ?? 'no status')}`]
}
