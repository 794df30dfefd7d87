/** Checks that a step ends in time, passes or fails correctly, and has the right annotations. */
import { shouldBatchPass } from './check-batch-report.ts'
import { outcomeOf } from './execution-plan.ts'
import { conclusionOf, deadlineOf, isResultLost, type FinishedStep } from './finished-step.ts'
import { maxEarly } from './simulated-clock.ts'
import type { StepPlan } from './step-plan.ts'
import { check, type Violation } from './invariants.ts'
import { isFinalRefusal } from './proven-by-checks.ts'
import { refusesCredentials } from './traffic.ts'

/** A start that is already sent may take 3.5 s more, and the last check 2 s. */
const grace = 5_500
/** The only check of `timeout: 0s` may take 10 s. */
const onlyCheck = 10_000
/**
 * The maximum time to fetch the files of one execution, in milliseconds. Links may be refreshed for
 * 60 s. A download that still receives bytes may take 10 more minutes.
 */
export const maxFetchTime = 60_000 + 600_000
const maxStatusTime = 10_000
/** Saves of the record may delay the end of a step by 30 s. */
const maxFinalSave = 30_000
/** How long one try of a save may take. */
const maxTryOfSave = 15_000
/** The longest pause between two tries of a save. */
const maxPauseOfSave = 3_000
/** How long after a signal the saves may take. */
const maxSavingAfterSignal = 5_000
/** After a signal, a start that is already sent may take 3.5 s, and its commit status 2 s more. */
const maxTimeAfterSignal = 5_500
/** Timers may fire a few milliseconds late. */
const maxSilence = 60_000 + 10

export function checkEnding(step: FinishedStep): Violation[] {
  const { run, traffic, context } = step
  const { hung, bug, passed, recorded } = run
  const { sleeping } = context.clock
  if (hung !== undefined) return [{ invariant: 'steps that never end', why: hung }]
  const { errors } = recorded
  return [
    ...check(bug === undefined, 'bugs', bug instanceof Error ? (bug.stack ?? '') : String(bug)),
    ...check(
      errors === (passed ? 0 : 1),
      'failures without exactly one annotation',
      `${errors} on a step that ${passed ? 'passed' : 'failed'}`,
    ),
    ...check(sleeping === 0, 'timers still running after the step', String(sleeping)),
    ...traffic.requestFaults.map((why): Violation => ({
      invariant: 'requests that differ from the documentation',
      why,
    })),
    ...checkPassing(step),
    ...checkTime(step),
    ...checkStop(step),
    ...checkLastSave(step),
    ...checkSilence(step),
  ]
}

/**
 * Checks that the last save has 30 s, or until 5 s after a signal. It may be tried again, after
 * pauses of at most 3 s, and may wait for an older save. A try has 15 s, and no other one follows if
 * the time would be up after the pause.
 */
function checkLastSave({ traffic, run: { cancelledAt } }: FinishedStep): Violation[] {
  const tries = traffic.saves.toReversed()
  const [last] = tries
  if (!last?.isGivenUp) return []
  const firstIndex = tries.findIndex(({ from }, index) => {
    const before = tries[index + 1]
    return !before || from - before.to > maxPauseOfSave + maxEarly
  })
  const from = tries[firstIndex]?.from ?? last.from
  const limit = Math.min(from + maxFinalSave, (cancelledAt ?? Infinity) + maxSavingAfterSignal)
  const why = `after ${Math.round(last.to - from)} ms`
  const isWholeTry = last.to - last.from >= maxTryOfSave - maxEarly
  const end = limit - maxEarly - (isWholeTry ? maxPauseOfSave : 0)
  return check(last.to >= end, 'last saves given up too early', why)
}

/** Checks that the log has a line at least once a minute. */
function checkSilence({ run: { recorded, endedAt } }: FinishedStep): Violation[] {
  const { longestSilence, writtenAt = endedAt } = recorded
  const silence = Math.max(longestSilence, endedAt - writtenAt)
  const why = `${Math.round(silence)} ms`
  return check(silence <= maxSilence, 'more than a minute without a line of the log', why)
}

function checkPassing(step: FinishedStep): Violation[] {
  const { passed } = step.run
  const expected = shouldPass(step)
  const why = conclusionOf(step.run)
  return [
    ...check(!passed || expected, 'steps that pass although they must fail', why),
    ...check(passed || !expected, 'steps that fail although they must pass', why),
  ]
}

function shouldPass(step: FinishedStep): boolean {
  const { plan, run, traffic } = step
  const { recorded } = run
  if (recorded.lostOutputs > 0) return false
  if (run.cancelledAt !== undefined) return false
  if (plan.action === 'start') {
    return recorded.output('execution-id') !== '' && !isRefused(step)
  }
  if (plan.action === 'create-project') {
    const created = recorded.output('created')
    const exists = traffic
      .of('create-project')
      .some(({ seen }) => seen.proper && seen.status === 400)
    return created === 'true' || (created === 'false' && exists && plan.ifExists === 'skip')
  }
  if (plan.action === 'batch') return shouldBatchPass(step)
  const conclusion = conclusionOf(run)
  if (conclusion === 'success') return !isResultLost(step)
  return optional.has(conclusion) && !plan.failOn.includes(conclusion)
}

/** Returns true if the service refuses the status of an earlier execution that a step took over. */
function isRefused({ run, traffic }: FinishedStep): boolean {
  const checks = traffic.of('status')
  const isLost = refusesCredentials(checks.at(-1)?.seen) && isFinalRefusal(checks)
  return run.recorded.output('resumed') === 'true' && isLost
}

/** These conclusions fail a step only if the input `fail-on` names them. */
const optional = new Set(['error', 'container-error', 'stopped', 'timed-out'])

/** Returns how often files are fetched after `timeout`. A batch fetches eight runs in parallel. */
export function turnsToFetch({ batch }: StepPlan): number {
  return batch ? Math.ceil(batch.seeds.length / 8) : 1
}

function hasSeenEnd({ traffic }: FinishedStep): boolean {
  return traffic
    .of('status')
    .some(({ seen: { record } }) => record && (record.finished || outcomeOf(record) !== 'success'))
}

/** A batch that starts nothing more has no reason to wait, except for runs and sent starts. */
function checkStop({ run, traffic, plan }: FinishedStep): Violation[] {
  const { lines } = run.recorded
  const isStopped = lines.some((line) => stopLine.test(line)) && run.cancelledAt === undefined
  const isDisturbed = traffic.faults.some((name) => /store|link|download|cache/.test(name))
  if (!plan.batch || !isStopped || isDisturbed || run.killed) return []
  const last = Math.max(traffic.lastByteAt, ...traffic.exchanges.map(({ at }) => at))
  const late = run.endedAt - last - maxFinalSave - maxStop
  return check(late <= 0, 'batches that wait although they start nothing more', `${late} ms`)
}

const stopLine = /No more runs are started: (?!the input timeout)/
const maxStop = 2_000

function checkTime(step: FinishedStep): Violation[] {
  const { run, traffic, plan } = step
  const { endedAt, cancelledAt } = run
  const turns = hasSeenEnd(step) ? turnsToFetch(plan) : 0
  // A download that still receives bytes at the deadline may continue.
  // Reading the record has a limit of its own, which may end after `timeout`.
  const timeIsUp = Math.max(deadlineOf(step), run.recorded.introducedAt ?? -Infinity)
  const lastAnswer = timeIsUp + (plan.timeout === 0 ? onlyCheck : grace)
  const deadline = Math.max(lastAnswer, traffic.lastByteAt) + turns * maxFetchTime
  const shown = deadline + (traffic.statuses.length > 0 ? maxStatusTime : 0)
  const end = shown + (run.killed ? 0 : maxFinalSave)
  const limit = Math.min(end, (cancelledAt ?? Infinity) + maxTimeAfterSignal)
  return check(endedAt <= limit, 'steps that end late', `by ${endedAt - limit} ms`)
}
