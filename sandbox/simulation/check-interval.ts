/** Checks the pauses between the status checks of an execution. Each check costs money. */
import { deadlineOf, type FinishedStep } from './finished-step.ts'
import { checkNone, type Violation } from './invariants.ts'
import { firstFlagged, flagGrace, graceOf, lastAlike } from './proven-by-checks.ts'
import { maxEarly } from './simulated-clock.ts'
import { isAccepted, type Exchange, type Traffic } from './traffic.ts'

/** Times are floating-point numbers, and each sleep may end early. */
const tolerance = 2 * maxEarly

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 }

export function checkInterval(step: FinishedStep): Violation[] {
  const [, count, unit = ''] = /^(\d+)(\D+)$/.exec(step.plan.inputs['poll-interval'] ?? '') ?? []
  const interval = Number(count) * (units[unit] ?? NaN)
  const isPolling = step.plan.action !== 'start' && interval > 0
  const watches = isPolling ? followedBy(step) : []
  return checkNone(
    'checks closer together than the poll interval',
    watches.flatMap((watch) => tooClose(watch, interval, step)),
  )
}

/** The time limit of the first checks of a re-run. The last of these checks ignores a hold. */
const maxFirstChecks = 32_000

/** Checks that the requests of a single run wait for a `Retry-After`. */
export function checkHolds(step: FinishedStep): Violation[] {
  const { traffic, run } = step
  const checks = checksBeforeEnds(traffic)
  const begun = checks[0]?.sentAt ?? Infinity
  const { introducedAt = Infinity } = run.recorded
  const isLast = ({ sentAt }: Exchange) =>
    sentAt >= deadlineOf(step) - tolerance ||
    (sentAt < introducedAt && sentAt >= begun + maxFirstChecks - tolerance)
  const early = [traffic.of('start'), traffic.of('create-project'), checks].flatMap((sent) =>
    sent.slice(1).filter((next, index) => {
      const { at = 0, seen } = sent[index] ?? {}
      return next.sentAt < at + (seen?.retryAfter ?? 0) - tolerance && !isLast(next)
    }),
  )
  return checkNone(
    'requests before a Retry-After has passed',
    early.map(({ route, sentAt }) => `${route} at ${sentAt}`),
  )
}

/** Checks that no check follows a final refusal. */
export function checkFinality({ plan, traffic }: FinishedStep): Violation[] {
  // In a batch, another call in flight may prove credentials that were refused.
  const minGrace = plan.batch ? 30_000 : 0
  const needless = checksBeforeEnds(traffic).filter((each) =>
    isFinal(checksBefore(each, traffic), minGrace),
  )
  return checkNone(
    'checks after a final refusal',
    needless.map(({ sentAt }) => String(sentAt)),
  )
}

/** Returns all checks except requests for fresh links. */
function checksBeforeEnds(traffic: Traffic): Exchange[] {
  const hasEnded = (checks: Exchange[]) => checks.some(({ seen }) => seen.record?.finished)
  return traffic.of('status').filter((each) => !hasEnded(checksBefore(each, traffic)))
}

/** Returns the earlier checks of the same execution. */
function checksBefore({ sentAt }: Exchange, traffic: Traffic): Exchange[] {
  const isEarlier = ({ at }: Exchange) => at <= sentAt
  const start = traffic.of('start').findLast((each) => isAccepted(each.seen) && isEarlier(each))
  const from = start?.at ?? 0
  return traffic.of('status').filter((each) => each.sentAt >= from && isEarlier(each))
}

/** Returns true if the last checks got the same refusal for longer than its grace. */
function isFinal(checks: readonly Exchange[], minGrace: number): boolean {
  const [first, last] = [lastAlike(checks)[0], checks.at(-1)]
  if (!first || !last) return false
  return last.at - first.at >= Math.max(graceOf(last.seen), minGrace)
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
  return (
    record.finished || last.at - (firstFlagged(checks)?.at ?? Infinity) >= flagGrace - tolerance
  )
}

/** Returns the times when a refusal and a flag become final. */
function endsOfGraces(checks: readonly Exchange[]): number[] {
  const [first] = lastAlike(checks)
  return [
    first ? first.at + graceOf(first.seen) : Infinity,
    (firstFlagged(checks)?.at ?? Infinity) + flagGrace,
  ]
}
