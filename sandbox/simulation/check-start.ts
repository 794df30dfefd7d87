/** Checks that a start is accepted at most once, and that the step reports the started run. */
import { maxEarly } from './simulated-clock.ts'
import { conclusionOf, deadlineOf, type FinishedStep } from './finished-step.ts'
import { isAccepted, isUnclear, mayRefuseOnce, provesNoStart, type Exchange } from './traffic.ts'
import { check, checkNone, type Violation } from './invariants.ts'
import { isPlain } from './step-record.ts'

const minWait = 3_500
/** How long a start is sent again, in milliseconds. In a batch, only the timeout ends the tries. */
const maxTries = 120_000
/** How long a start is sent again if credentials are refused that were accepted before. */
const maxRefused = 30_000
/** The longest pause between two tries without a `Retry-After`, in milliseconds. */
const maxPause = 15_000

export function checkStart(step: FinishedStep): Violation[] {
  const { plan, traffic } = step
  if (plan.action === 'wait') return []
  const route = plan.action === 'create-project' ? 'create-project' : 'start'
  const sent = traffic.of(route)
  const { accepted } = traffic
  const last = sent.at(-1)?.seen
  return [
    ...check(accepted.length <= 1 + plan.retries, 'starts accepted twice', accepted.join(', ')),
    ...checkOutputId(step),
    ...check(accepted.length === 0 || isFindable(step), 'runs whose id is not reported', route),
    ...check(
      !last || !isUnclear(last) || warnsThatRunMayExist(step),
      'conclusions that contradict the service',
      `no annotation says that the start may have been accepted: ${JSON.stringify(last)}`,
    ),
    ...checkTries(sent),
    ...checkPersistence(step, sent),
  ]
}

/** Checks that the output `execution-id` is an id that the service gave to a start of this step. */
function checkOutputId({ run, context }: FinishedStep): Violation[] {
  const id = run.recorded.output('execution-id')
  const isGiven = id === '' || context.service.executions.find(id) !== undefined
  return check(isGiven, 'execution ids that the service did not give to a start', id)
}

/** Checks that each start is sent again for at most 120 s. */
function checkTries(sent: readonly Exchange[]): Violation[] {
  const lasts = sent.map(({ sentAt }, index) => {
    const first = sent.slice(0, index).findLastIndex(({ seen }) => isAccepted(seen)) + 1
    return sentAt - (sent[first]?.sentAt ?? sentAt)
  })
  const longest = Math.max(0, ...lasts)
  return check(longest <= maxTries, 'starts sent again for too long', `${longest} ms`)
}

/** Checks that a start is sent again until no further try fits into the time. */
function checkPersistence(step: FinishedStep, sent: readonly Exchange[]): Violation[] {
  const { cancelledAt = Infinity } = step.run
  const last = sent.at(-1)
  if (!last || (!provesNoStart(last.seen) && !mayRefuseOnce(last.seen))) return []
  const first = sent[sent.findLastIndex(({ seen }) => isAccepted(seen)) + 1]
  const refused = sent[sent.findLastIndex(({ seen }) => !mayRefuseOnce(seen)) + 1]
  const end = Math.min(
    (first?.sentAt ?? 0) + maxTries,
    (refused?.at ?? Infinity) + maxRefused,
    cancelledAt,
    deadlineOf(step),
  )
  const next = last.at + Math.max(maxPause, last.seen.retryAfter ?? 0)
  const why = `after ${JSON.stringify(last.seen)}, ${end - next} ms too early`
  return check(next >= end - maxEarly, 'starts given up before their time is over', why)
}

/** Checks that log and output have an id as soon as the answer to the start has arrived. */
export function checkShownAtOnce({ plan, traffic, run }: FinishedStep): Violation[] {
  const { lines, times, idsAt, lostOutputs } = run.recorded
  const hasOutput = !plan.batch && lostOutputs === 0
  const late = traffic.of('start').flatMap(({ seen, at }) => {
    const { executionId: id = '' } = seen
    // The step may have ended at the very time of the answer.
    if (!isAccepted(seen) || at >= run.endedAt) return []
    const shownAt = isPlain(id) ? times[lines.findIndex((line) => line.includes(id))] : at
    const outputAt = hasOutput ? idsAt.get(id) : at
    return shownAt === at && outputAt === at ? [] : [`${id}: ${shownAt}, ${outputAt}, not ${at}`]
  })
  return checkNone('ids that are not shown at once', late)
}

/** Checks that no connection for a start is made after a cancellation. */
export function checkSentInTime({ run, traffic }: FinishedStep): Violation[] {
  const { cancelledAt = Infinity } = run
  const late = traffic
    .of('start')
    .filter(({ connectedAt = 0 }) => connectedAt > cancelledAt)
    .map(({ connectedAt = 0 }) => `${connectedAt - cancelledAt} ms after the cancellation`)
  return checkNone('starts sent after a cancellation', late)
}

/** Checks repeated starts. check-retries.ts checks a start that follows an accepted start. */
export function checkResending({ plan, traffic }: FinishedStep): Violation[] {
  const before = traffic
    .of(plan.action === 'create-project' ? 'create-project' : 'start')
    .slice(0, -1)
  const unclear = before.filter(
    ({ seen }) => !provesNoStart(seen) && !isAccepted(seen) && !mayRefuseOnce(seen),
  )
  return checkNone(
    'starts sent again after a start that may have been accepted',
    unclear.map(({ seen }) => JSON.stringify(seen)),
  )
}

/**
 * Checks that a cancelled step waits 3.5 s for the answer to a start that was sent. This answer has
 * the id.
 */
export function checkPatience({
  plan,
  traffic,
  run: { cancelledAt = 0 },
}: FinishedStep): Violation[] {
  if (plan.action === 'create-project') return []
  const early = traffic
    .of('start')
    .filter(({ isInterrupted, connectedAt }) => isInterrupted && connectedAt !== undefined)
    .filter(({ at }) => at < cancelledAt + minWait - maxEarly)
  return checkNone(
    'starts given up less than 3.5 s after a cancellation',
    early.map(({ at }) => `${at - cancelledAt} ms after the cancellation`),
  )
}

export function isFindable(step: FinishedStep): boolean {
  const { run, traffic, plan } = step
  const { recorded } = run
  if (warnsThatRunMayExist(step)) return true
  if (plan.action === 'create-project') return recorded.output('created') === 'true'
  if (recorded.lostOutputs > 0) return namesRun(step)
  return recorded.output('execution-id') === traffic.accepted.at(-1)
}

/** Returns true if an annotation contains the id. Ids that annotations escape are not searched. */
function namesRun({ run, traffic }: FinishedStep): boolean {
  const lastId = traffic.accepted.at(-1) ?? ''
  const { annotations } = run.recorded
  return !isPlain(lastId) || annotations.some(({ text }) => text.includes(lastId))
}

function warnsThatRunMayExist({ plan, run }: FinishedStep): boolean {
  const isSaid = run.recorded.annotations.some(
    ({ level, text }) => level === 'error' && text.includes('may or may not have'),
  )
  return isSaid && (plan.action !== 'run' || conclusionOf(run) === 'unknown')
}
