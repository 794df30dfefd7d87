/** Checks that the conclusion agrees with the answers of the service. */
import { isMissing } from './check-reruns.ts'
import { conclusionOf, deadlineOf, isLate, type FinishedStep } from './finished-step.ts'
import { isAccepted, leavesOpen, type Exchange, type StatusRecord } from './traffic.ts'
import { check, type Violation } from './invariants.ts'
import { maxEarly } from './simulated-clock.ts'
import { outcomeOf } from './execution-plan.ts'

/** Milliseconds after which a flag without `finished` counts as an end. */
const grace = 30_000
/** Milliseconds for which checks continue although all get the same final refusal. */
const refusalGrace = 300_000

export function checkConclusion(step: FinishedStep): Violation[] {
  const { plan, run } = step
  if (plan.action === 'create-project') return checkCreation(step)
  if (plan.action === 'start') return []
  const conclusion = conclusionOf(run)
  const why = `${conclusion || 'none'}: ${whyWrong(conclusion, step) ?? ''}`
  const holds = whyWrong(conclusion, step) === undefined
  return check(holds, 'conclusions that contradict the service', why)
}

function checkCreation({ run, traffic }: FinishedStep): Violation[] {
  const created = run.recorded.output('created')
  const isTrue = traffic.accepted.length > 0
  const holds = created === '' || created === String(isTrue)
  return check(holds, 'conclusions that contradict the service', `created: ${created}`)
}

/** Returns why the conclusion is wrong, or undefined if it is right. */
export function whyWrong(conclusion: string, step: FinishedStep): string | undefined {
  const { run, traffic } = step
  const checks = checksOfLast(step)
  const record = lastRecord(checks)
  switch (conclusion) {
    case 'invalid-result':
      if (!step.plan.isChecked) return 'there is no schema'
      return whyNotEnded('success', record, checks, step)
    case 'success':
    case 'error':
    case 'container-error':
    case 'stopped':
      return whyNotEnded(conclusion, record, checks, step)
    case 'timed-out':
      if (record?.finished) return 'the service said that it is over'
      if (!isLate(step)) return 'there was time left'
      // The runs of a batch share one budget of checks. Not every run gets a last check.
      if (step.plan.batch) return undefined
      return hasCheckedLast(checks, step) ? undefined : 'there was no check when the time was over'
    case 'cancelled':
      return run.cancelledAt === undefined ? 'it was not cancelled' : undefined
    case 'unknown':
      return isUnwatchable(checks, step) ? undefined : 'it could be watched'
    case 'refused':
    case 'not-started':
      if (traffic.accepted.length > 0) return 'a run exists'
      return (conclusion === 'refused') === isStartRefused(step) ? undefined : 'it was otherwise'
    case '':
      if (run.recorded.lostOutputs > 0) return whyNotFollowed(record, checks, step)
      return 'the step ended by itself'
    default:
      return 'no such conclusion'
  }
}

/** True if the answer to the start is a final refusal. */
function isStartRefused({ traffic }: FinishedStep): boolean {
  const last = traffic.of('start').at(-1)?.seen
  return last?.kind === 'answer' && last.status < 500 && ![408, 429].includes(last.status)
}

/** Returns the checks that follow the last start whose execution id is known. */
function checksOfLast({ traffic }: FinishedStep): Exchange[] {
  const start = traffic.of('start').findLast(({ seen }) => isAccepted(seen))
  return traffic.of('status').filter(({ sentAt }) => sentAt >= (start?.at ?? 0))
}

/** A step whose outputs cannot be written must still follow the run to its end. */
function whyNotFollowed(
  record: StatusRecord | undefined,
  checks: Exchange[],
  step: FinishedStep,
): string | undefined {
  const { traffic, run, plan } = step
  const ended = record !== undefined && (record.finished || outcomeOf(record) !== 'success')
  const noRun = plan.action === 'run' && traffic.accepted.length === 0
  const cut = run.cancelledAt !== undefined || isLate(step)
  if (ended || noRun || cut || isUnwatchable(checks, step)) return undefined
  return 'it was not followed to its end'
}

function whyNotEnded(
  conclusion: string,
  record: StatusRecord | undefined,
  checks: Exchange[],
  step: FinishedStep,
): string | undefined {
  if (!record) return 'the service gave no status'
  if (outcomeOf(record) !== conclusion) return `the service said ${JSON.stringify(record)}`
  if (record.finished) return undefined
  const since = flaggedSince(checks) ?? Infinity
  const counts = step.run.endedAt - since >= grace || isLate(step)
  return counts ? undefined : 'it was not over'
}

/** Returns the moment since which all valid answers have had a flag. */
function flaggedSince(checks: Exchange[]): number | undefined {
  const proper = checks.flatMap(({ seen: { record }, at }) =>
    record ? [{ at, outcome: outcomeOf(record) }] : [],
  )
  const lastPlain = proper.findLastIndex(({ outcome }) => outcome === 'success')
  return proper[lastPlain + 1]?.at
}

export function isUnwatchable(checks: Exchange[], step: FinishedStep): boolean {
  const { traffic } = step
  const start = traffic.of('start').at(-1)?.seen
  if (start && leavesOpen(start)) return true
  const statuses = checks.map(({ seen }) => seen.status)
  if ([401, 403].includes(statuses.at(-1) ?? 0)) return true
  if (isRefusedForGood(checks)) return true
  return isMissing(checks) || (isLate(step) && !lastRecord(checks) && statuses.includes(404))
}

/** True after five minutes of the same final refusal without a valid answer in between. */
function isRefusedForGood(checks: Exchange[]): boolean {
  const last = checks.at(-1)
  if (!last || ![400, 405, 410, 422].includes(last.seen.status)) return false
  const lastProper = checks.findLastIndex(({ seen }) => seen.record)
  const since = checks.slice(lastProper + 1).find(({ seen }) => seen.status === last.seen.status)
  return last.at - (since?.at ?? last.at) >= refusalGrace
}

/** A last check must be made when the time is over, unless a `Retry-After` is running. */
function hasCheckedLast(checks: Exchange[], step: FinishedStep): boolean {
  const last = checks.at(-1)
  if (step.plan.timeout === 0 || !last) return true
  return last.seen.retryAfter !== undefined || last.at >= deadlineOf(step) - maxEarly
}

function lastRecord(checks: Exchange[]): StatusRecord | undefined {
  return checks.findLast(({ seen }) => seen.record)?.seen.record
}
