/** Checks the limits that all runs of a batch share, and that no run starts after a stop. */
import { stateAt, outcomeOf, type ExecutionPlan } from './execution-plan.ts'
import { deadlineOf, type FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'
import { maxEarly } from './simulated-clock.ts'
import {
  isAccepted,
  isUnclear,
  mayRefuseOnce,
  provesCredentials,
  refusesCredentials,
  type Exchange,
} from './traffic.ts'

const checksPerSecond = 5
const maxDownloads = 8
/** During a hold of checks, one check is sent after each such span, in milliseconds. */
const probeInterval = 60_000
/** The pause after a start that was not accepted, in milliseconds. */
const minPause = 1_000
/** How long an unclear start keeps its slot, in milliseconds. */
const unclearFor = 60_000
/** Times are floating-point numbers. The unit is milliseconds. */
const tolerance = 0.01

export function checkPace(step: FinishedStep): Violation[] {
  const { traffic, run, plan } = step
  const sent = traffic.exchanges.toSorted((one, other) => one.sentAt - other.sentAt)
  const starts = sent.filter(({ route }) => route === 'start')
  const stoppedAt = Math.min(run.cancelledAt ?? Infinity, refusedAt(starts))
  const late = starts.filter(({ sentAt }) => sentAt > stoppedAt + tolerance)
  // A Retry-After delays no last check.
  const early = sentTooEarly(sent.filter(({ sentAt }) => sentAt < deadlineOf(step) - maxEarly))
  const running = maxAtOnce(step)
  const { maxParallel = 0 } = plan.batch ?? {}
  return [
    ...check(isWithinBudget(sent), 'more than 5 checks per second in a batch', ''),
    ...check(early.length === 0, 'requests before a Retry-After has passed', early.join()),
    ...check(
      startsTooClose(starts).length === 0,
      'starts less than 1 s after one that was not accepted',
      startsTooClose(starts).join(),
    ),
    ...check(
      besideRefused(step).length === 0,
      'starts beside one that alone is sent again',
      besideRefused(step).join(),
    ),
    ...check(
      late.length === 0,
      'starts after a cancellation or refused credentials',
      `${late.length}`,
    ),
    ...check(
      running <= maxParallel,
      'more runs of a batch at once than max-parallel allows',
      `${running} of ${maxParallel}`,
    ),
    ...check(
      traffic.maxDownloads <= maxDownloads,
      'more than 8 downloads at once',
      String(traffic.maxDownloads),
    ),
  ]
}

/** Returns when the first start was refused whose credentials no call had proven or could prove. */
function refusedAt(starts: readonly Exchange[]): number {
  const refused = starts.filter(({ seen }) => refusesCredentials(seen) && seen.isProven !== true)
  return Math.min(...refused.map(({ at }) => at))
}

/** Returns true if there are at most five checks in each second. */
function isWithinBudget(sent: readonly Exchange[]): boolean {
  const moments = sent.filter(({ route }) => route === 'status').map(({ sentAt }) => sentAt)
  return moments.every((moment, index) => {
    const before = moments[index - checksPerSecond]
    return before === undefined || moment - before >= 1_000 - tolerance
  })
}

interface Hold {
  from: number
  to: number
}

/** Returns the requests that were sent before a `Retry-After` had passed. */
function sentTooEarly(sent: readonly Exchange[]): string[] {
  const starts = sent.filter(({ route }) => route === 'start')
  const checks = sent.filter(({ route }) => route === 'status')
  const heldStarts = starts.filter((start) => isHeld(start, holdsIn(starts)))
  return [...heldStarts, ...checksTooEarly(checks)].map(
    ({ route, sentAt }) => `${route} at ${sentAt}`,
  )
}

function holdsIn(sent: readonly Exchange[]): Hold[] {
  return sent.flatMap(({ seen, at }) => {
    const asks = [429, 503].includes(seen.status)
    return asks && seen.retryAfter !== undefined ? [{ from: at, to: at + seen.retryAfter }] : []
  })
}

function isHeld({ sentAt }: Exchange, holds: readonly Hold[]): boolean {
  return holds.some(({ from, to }) => sentAt > from + tolerance && sentAt < to - tolerance)
}

/** During a hold, one check a minute may be sent. The answer to such a check ends the hold. */
function checksTooEarly(checks: readonly Exchange[]): Exchange[] {
  const holds = holdsIn(checks).map(({ from, to }) => {
    const answered = checks.filter(({ seen, sentAt }) => seen.record && sentAt >= from)
    return { from, to: Math.min(to, ...answered.map(({ at }) => at)) }
  })
  return checks.filter((check, index) => {
    const before = checks[index - 1]?.sentAt ?? -Infinity
    return check.sentAt - before < probeInterval - tolerance && isHeld(check, holds)
  })
}

/** Returns the starts that followed a start that was not accepted by less than a second. */
function startsTooClose(starts: readonly Exchange[]): string[] {
  const failed = starts.filter(({ seen }) => !isAccepted(seen))
  const pauses = failed.map(({ at }) => ({ from: at, to: at + minPause }))
  return starts.filter((start) => isHeld(start, pauses)).map(({ sentAt }) => String(sentAt))
}

/**
 * Returns the starts of other runs that were sent although one run alone sends its start again:
 * from a refusal of credentials that were proven before, until a start gets any other answer.
 */
function besideRefused({ traffic }: FinishedStep): string[] {
  const proofs = traffic.exchanges.filter(({ seen }) => provesCredentials(seen))
  const provenAt = Math.min(...proofs.map(({ at }) => at))
  const starts = traffic.of('start')
  const holds: (Hold & { service: object })[] = []
  for (const { seen, at, service } of starts.toSorted((one, other) => one.at - other.at)) {
    const last = holds.at(-1)
    const isOpen = last?.to === Infinity
    if (mayRefuseOnce(seen) && provenAt < at) {
      if (!isOpen) holds.push({ from: at, to: Infinity, service })
    } else if (isOpen) last.to = at
  }
  const isBeside = (start: Exchange) =>
    holds.some((hold) => hold.service !== start.service && isHeld(start, [hold]))
  return starts.filter(isBeside).map(({ sentAt }) => String(sentAt))
}

/** Returns the maximum number of parallel executions that this step started and could follow. */
function maxAtOnce({ traffic, context, files }: FinishedStep): number {
  if (!files.batch?.rows) return 0
  const started = context.runs.flatMap(({ service }, index) => {
    const isLost = files.batch?.rows?.[index]?.conclusion === 'unknown'
    const own = traffic.accepted.flatMap((id) => service.executions.find(id) ?? [])
    // A flag that disappears may end the wait for an execution that is still running.
    const isClear = files.batch?.rows?.[index]?.conclusion === 'success'
    return isLost ? [] : own.filter(({ plan }) => isClear || !plan.flicker)
  })
  const unclear = traffic.of('start').filter(({ seen }) => isUnclear(seen))
  return Math.max(
    0,
    ...started.map(({ startedAt }) => {
      const running = started.filter((run) => isRunning(run, startedAt))
      const kept = unclear.filter(({ at }) => at < startedAt && startedAt < at + unclearFor)
      return running.length + kept.length
    }),
  )
}

/** Returns true if the execution is running. A lasting flag counts as an end. */
export function isRunning(
  { plan, startedAt }: { plan: ExecutionPlan; startedAt: number },
  at: number,
): boolean {
  if (startedAt > at) return false
  const state = stateAt({ ...plan, flicker: undefined }, at - startedAt)
  return !state.finished && outcomeOf(state) === 'success'
}
