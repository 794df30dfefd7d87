/** Checks that a short outage loses no file, and that the log names each unknown encoding. */
import { conclusionOf, deadlineOf, type FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'

/** How long the product tries to refresh a link, in milliseconds. An outage is always shorter. */
const refreshTime = 60_000

export function checkDisruption(step: FinishedStep): Violation[] {
  return [...checkOutage(step), ...checkEncodings(step)]
}

function checkOutage(step: FinishedStep): Violation[] {
  const { context, run, files } = step
  const endsAt = context.outage?.endsAt
  const isCancelled = run.cancelledAt !== undefined
  if (endsAt === undefined || endsAt < run.startedAt || isCancelled) return []
  const hadTime = deadlineOf(step) >= endsAt + refreshTime
  if (!hadTime || conclusionOf(run) !== 'success') return []
  const { result, log } = context.objects
  const lost = [
    ...(result && !files.result ? ['result'] : []),
    ...(log && !files.log ? ['log'] : []),
  ]
  return check(lost.length === 0, 'results lost in a short outage', lost.join(' and '))
}

function checkEncodings({ context, files, run }: FinishedStep): Violation[] {
  const shown = run.recorded.shown()
  const { result, log } = context.objects
  const kept = [files.result && result?.encoding, files.log && log?.encoding]
  const missing = kept
    .flatMap((encoding) => (encoding && !encoding.known ? [encoding.name] : []))
    .filter((name) => !shown.some((line) => line.includes(name)))
  const invariant = 'unknown encodings without a line'
  return check(missing.length === 0, invariant, missing.join(', '))
}
