/** Checks that a short outage loses no file, and that the log names each unknown encoding. */
import {
  areFilesRemoved,
  conclusionOf,
  deadlineOf,
  isResultLost,
  type FinishedStep,
} from './finished-step.ts'
import { check, checkNone, type Violation } from './invariants.ts'

/** A file is given up after so many failures, or when the downloads have used up their time. */
const minFailures = 5
const maxAfterDeadline = 600_000
/** The longest pause between two tries without a `Retry-After`, in milliseconds. */
const maxPause = 10_000
/** How long the product tries to refresh a link, in milliseconds. An outage is always shorter. */
const refreshTime = 60_000

export function checkDisruption(step: FinishedStep): Violation[] {
  return [...checkOutage(step), ...checkFailures(step), ...checkEncodings(step)]
}

function checkOutage(step: FinishedStep): Violation[] {
  const { context, run, files } = step
  const endsAt = context.outage?.endsAt
  const isCancelled = run.cancelledAt !== undefined
  if (endsAt === undefined || endsAt < run.startedAt || isCancelled || areFilesRemoved(step))
    return []
  const hadTime = deadlineOf(step) >= endsAt + refreshTime
  if (!hadTime || conclusionOf(run) !== 'success') return []
  const { result, log } = context.objects
  const lost = [
    ...(result && !files.result ? ['result'] : []),
    ...(log && !files.log ? ['log'] : []),
  ]
  return checkNone('results lost in a short outage', lost)
}

/** Checks that a result is given up only after five failures, if nothing else ends the tries. */
function checkFailures(step: FinishedStep): Violation[] {
  const { run, plan, traffic } = step
  const { lines } = run.recorded
  const isLost = conclusionOf(run) === 'success' && isResultLost(step)
  if (!isLost || run.cancelledAt !== undefined || plan.full === 'temp') return []
  const limit = deadlineOf(step) + maxAfterDeadline
  const isHeld =
    traffic.faults.includes('store answers with Retry-After') ||
    traffic.of('status').some(({ at, seen }) => at + (seen.retryAfter ?? 0) >= limit)
  if (isHeld || run.endedAt >= limit - maxPause) return []
  const failures = 1 + lines.filter((line) => /the result was not downloaded/i.test(line)).length
  const invariant = 'results lost after fewer than five failures'
  return check(failures >= minFailures, invariant, `${failures} failures`)
}

function checkEncodings({ context, files, run }: FinishedStep): Violation[] {
  const shown = run.recorded.shown()
  const { result, log } = context.objects
  const kept = [files.result && result?.encoding, files.log && log?.encoding]
  const missing = kept
    .flatMap((encoding) => (encoding && !encoding.known ? [encoding.name] : []))
    .filter((name) => !shown.some((line) => line.includes(name)))
  return checkNone('unknown encodings without a line', missing)
}
