/** Checks that a start was accepted at most once, and that its run can be found again. */
import { maxEarly } from './simulated-clock.ts'
import { conclusionOf, type FinishedStep } from './finished-step.ts'
import { isAccepted, leavesOpen, provesNothingBegan, type Exchange } from './traffic.ts'
import { check, type Violation } from './invariants.ts'

const patience = 2_000

export function checkStart(step: FinishedStep): Violation[] {
  const { plan, traffic } = step
  if (plan.action === 'wait') return []
  const route = plan.action === 'create-project' ? 'create-project' : 'start'
  const sent = traffic.of(route)
  const { accepted } = traffic
  const last = sent.at(-1)?.seen
  return [
    ...check(accepted.length <= 1 + plan.retries, 'starts accepted twice', accepted.join(', ')),
    ...checkResending(sent),
    ...checkPatience(step),
    ...check(accepted.length === 0 || isFindable(step), 'runs without a known id', route),
    ...check(
      !last || !leavesOpen(last) || saysItMayExist(step),
      'conclusions that contradict the service',
      `the start may have been accepted, which is not said: ${JSON.stringify(last)}`,
    ),
    ...check(
      sent.length <= 5 * (1 + plan.retries),
      'starts accepted twice',
      `${sent.length} requests`,
    ),
  ]
}

/** A start that follows an accepted one is checked as a retry (check-retries.ts). */
export function checkResending(sent: readonly Exchange[]): Violation[] {
  return sent
    .slice(0, -1)
    .filter(({ seen }) => !provesNothingBegan(seen) && !isAccepted(seen))
    .map(({ seen }) => ({
      invariant: 'starts sent again after one that may have been accepted',
      why: JSON.stringify(seen),
    }))
}

/** A cancelled step must wait for the answer to a start, because the answer has the id of a run. */
export function checkPatience({
  plan,
  traffic,
  run: { cancelledAt = 0 },
}: FinishedStep): Violation[] {
  if (plan.action === 'create-project') return []
  return traffic
    .of('start')
    .filter(({ isCut, at }) => isCut && at < cancelledAt + patience - maxEarly)
    .map(({ at }) => ({
      invariant: 'starts given up within 2 s of a cancellation',
      why: `${at - cancelledAt} ms after it`,
    }))
}

export function isFindable(step: FinishedStep): boolean {
  const { run, traffic, plan } = step
  const { recorded } = run
  if (saysItMayExist(step)) return true
  if (plan.action === 'create-project') return recorded.output('created') === 'true'
  if (recorded.lostOutputs > 0) return namesRun(step)
  return recorded.output('execution-id') === traffic.accepted.at(-1)
}

/** True if an annotation has the id. Ids of unusual shapes are made inert in texts. */
function namesRun({ run, traffic }: FinishedStep): boolean {
  const lastId = traffic.accepted.at(-1) ?? ''
  const isPlain = /^[\da-f-]+$/.test(lastId)
  const { annotations } = run.recorded
  return !isPlain || annotations.some(({ text }) => text.includes(lastId))
}

function saysItMayExist({ plan, run }: FinishedStep): boolean {
  const isSaid = run.recorded.annotations.some(
    ({ level, text }) => level === 'error' && text.includes('may or may not have'),
  )
  return isSaid && (plan.action !== 'run' || conclusionOf(run) === 'unknown')
}
