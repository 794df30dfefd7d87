/** Checks the pauses between the status checks of an execution. Each check costs money. */
import { outcomeOf } from './execution-plan.ts'
import { deadlineOf, type FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'
import { maxEarly } from './simulated-clock.ts'
import { graceOf, isAccepted, lastAlike, type Exchange } from './traffic.ts'

/** The time after which a flag without `finished` is final, in milliseconds. */
const grace = 30_000
/** Times are floating-point numbers, and each sleep may end early. */
const tolerance = 2 * maxEarly

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 }

export function checkInterval(step: FinishedStep): Violation[] {
  const [, count, unit = ''] = /^(\d+)(\D+)$/.exec(step.plan.inputs['poll-interval'] ?? '') ?? []
  const interval = Number(count) * (units[unit] ?? NaN)
  const isPolling = step.plan.action !== 'start' && interval > 0
  const close = isPolling
    ? followedBy(step).flatMap((watch) => tooClose(watch, interval, step))
    : []
  return check(close.length === 0, 'checks closer together than the poll interval', close.join())
}

interface Watch {
  checks: Exchange[]
  /** The first checks of a re-run. They have other pauses, but a grace may begin in them. */
  earlier: Exchange[]
}

/** Returns the checks of each execution. */
function followedBy({ plan, traffic, run }: FinishedStep): Watch[] {
  const sent = traffic.exchanges.toSorted((one, other) => one.sentAt - other.sentAt)
  const starts = sent.filter(({ route, seen }) => route === 'start' && isAccepted(seen))
  const begun = run.recorded.introducedAt ?? Infinity
  // If the first checks found the end of the execution, all later requests are for fresh links.
  const hasEnded = sent.some(({ seen, at }) => at <= begun && seen.record?.finished)
  const rerunTakesOver = starts.length === 0 && !plan.batch && !hasEnded
  const from = rerunTakesOver ? [begun] : starts.map(({ at }) => at)
  return from.map((begin, index) => {
    const end = from[index + 1] ?? Infinity
    const checks = sent.filter(({ route }) => route === 'status')
    return {
      checks: checks.filter(({ sentAt }) => sentAt >= begin && sentAt < end),
      earlier: rerunTakesOver ? checks.filter(({ sentAt }) => sentAt < begin) : [],
    }
  })
}

function tooClose({ checks, earlier }: Watch, interval: number, step: FinishedStep): string[] {
  const deadline = deadlineOf(step)
  // In a batch, a check also waits for the Retry-After of another run.
  const maxDelay = step.plan.batch ? Infinity : tolerance
  const end = checks.findIndex((_, index) => isEnd([...earlier, ...checks.slice(0, index + 1)]))
  // Requests after the end are for fresh links.
  const watched = end < 0 ? checks : checks.slice(0, end + 1)
  return watched.slice(1).flatMap(({ sentAt }, index) => {
    const before = watched.slice(0, index + 1)
    const last = before.at(-1)
    const isLate = sentAt >= deadline - tolerance
    if (!last || isLate || sentAt - last.at >= interval - tolerance) return []
    const { retryAfter = 0 } = last.seen
    const due = endsOfGraces([...earlier, ...before]).map((moment) =>
      Math.max(moment, last.at + retryAfter),
    )
    const isDue = due.some((moment) => {
      const delay = sentAt - moment
      return moment > last.at && delay >= -tolerance && delay <= maxDelay
    })
    return isDue ? [] : [`${Math.round(sentAt - last.at)} ms after a ${last.seen.status}`]
  })
}

/** Returns true if these checks show that the execution has ended. */
function isEnd(checks: readonly Exchange[]): boolean {
  const last = checks.at(-1)
  const { record } = last?.seen ?? {}
  if (!last || !record) return false
  return record.finished || last.at - (flaggedSince(checks) ?? Infinity) >= grace - tolerance
}

/** Returns the times when a refusal and a flag become final. */
function endsOfGraces(checks: readonly Exchange[]): number[] {
  const [first] = lastAlike(checks)
  return [
    first ? first.at + graceOf(first.seen) : Infinity,
    (flaggedSince(checks) ?? Infinity) + grace,
  ]
}

function flaggedSince(checks: readonly Exchange[]): number | undefined {
  const proper = checks.filter(({ seen }) => seen.record)
  const isPlain = ({ seen: { record } }: Exchange) => record && outcomeOf(record) === 'success'
  return proper[proper.findLastIndex(isPlain) + 1]?.at
}
