/** Checks the limits that all runs of a batch share, and that no run starts after a stop. */
import { stateAt, outcomeOf, type ExecutionPlan } from './execution-plan.ts'
import { deadlineOf, type FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'
import { maxEarly } from './simulated-clock.ts'
import { refusesCredentials, type Exchange } from './traffic.ts'

const checksPerSecond = 5
const maxDownloads = 8
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

function refusedAt(starts: readonly Exchange[]): number {
  const refused = starts.filter(({ seen }) => refusesCredentials(seen))
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

/** Returns the requests that were sent before a `Retry-After` had passed. */
function sentTooEarly(sent: readonly Exchange[]): string[] {
  const holds = sent.flatMap(({ seen, at }) => {
    const asks = [429, 503].includes(seen.status)
    return asks && seen.retryAfter !== undefined ? [{ from: at, to: at + seen.retryAfter }] : []
  })
  const isHeld = ({ sentAt }: Exchange) =>
    holds.some(({ from, to }) => sentAt > from + tolerance && sentAt < to - tolerance)
  return sent.filter(isHeld).map(({ route, sentAt }) => `${route} at ${sentAt}`)
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
  return Math.max(
    0,
    ...started.map(({ startedAt }) => started.filter((run) => isRunning(run, startedAt)).length),
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
