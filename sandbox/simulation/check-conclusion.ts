/** Checks that the conclusion agrees with the answers of the service. */
import type { Row } from './batch-files.ts'
import { conclusionOf, deadlineOf, isLate, type FinishedStep } from './finished-step.ts'
import {
  isAccepted,
  isUnclear,
  mayRefuseOnce,
  type Exchange,
  type StatusRecord,
} from './traffic.ts'
import { check, type Violation } from './invariants.ts'
import { firstFlagged, flagGrace, isFinalRefusal, lastRecord } from './proven-by-checks.ts'
import { maxEarly } from './simulated-clock.ts'
import { outcomeOf } from './execution-plan.ts'

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
      return whyNotEnded('success', record, checks)
    case 'success':
    case 'error':
    case 'container-error':
    case 'stopped':
      return whyNotEnded(conclusion, record, checks)
    case 'timed-out':
      if (record?.finished) return 'the service said that the execution has finished'
      if (!isLate(step)) return 'the time was not up'
      // All runs of a batch share one limit of checks, so some runs get no last check.
      if (step.plan.batch) return undefined
      return hasCheckedLast(checks, step) ? undefined : 'no check was made when the time was up'
    case 'cancelled':
      return run.cancelledAt === undefined ? 'the step was not cancelled' : undefined
    case 'unknown':
      return cannotBeFollowed(checks, step) ? undefined : 'the execution could be followed'
    case 'refused':
    case 'not-started':
      if (traffic.accepted.length > 0) return 'an execution was started'
      // The time may be up while a start is sent again after a refusal.
      if (conclusion === 'not-started' && isRefusedOnce(step)) return undefined
      return (conclusion === 'refused') === isStartRefused(step) ? undefined : 'the answer differs'
    case '':
      if (run.recorded.lostOutputs > 0) return whyNotFollowed(record, checks, step)
      return 'all outputs could be written'
    default:
      return 'no such conclusion'
  }
}

/** Returns true if the answer to the last start is a final refusal. */
function isStartRefused({ traffic }: FinishedStep): boolean {
  const last = traffic.of('start').at(-1)?.seen
  return last?.kind === 'answer' && last.status < 500 && ![408, 429].includes(last.status)
}

/** Returns true if the last start got a refusal after which it may be sent again. */
function isRefusedOnce({ traffic }: FinishedStep): boolean {
  return mayRefuseOnce(traffic.of('start').at(-1)?.seen)
}

/** Returns the checks after the last accepted start. */
function checksOfLast({ traffic }: FinishedStep): Exchange[] {
  const start = traffic.of('start').findLast(({ seen }) => isAccepted(seen))
  return traffic.of('status').filter(({ sentAt }) => sentAt >= (start?.at ?? 0))
}

/** Returns the error of a step that cannot write its outputs and does not follow the execution. */
function whyNotFollowed(
  record: StatusRecord | undefined,
  checks: Exchange[],
  step: FinishedStep,
): string | undefined {
  const { traffic, run, plan } = step
  const ended = record !== undefined && (record.finished || outcomeOf(record) !== 'success')
  const noRun = plan.action === 'run' && traffic.accepted.length === 0
  const cut = run.cancelledAt !== undefined || isLate(step)
  if (ended || noRun || cut || cannotBeFollowed(checks, step)) return undefined
  return 'the execution was not followed to its end'
}

function whyNotEnded(
  conclusion: string,
  record: StatusRecord | undefined,
  checks: Exchange[],
): string | undefined {
  if (!record) return 'the service gave no status'
  if (outcomeOf(record) !== conclusion) return `the service said ${JSON.stringify(record)}`
  if (record.finished) return undefined
  const since = firstFlagged(checks)?.at ?? Infinity
  const counts = (checks.at(-1)?.at ?? 0) - since >= flagGrace
  return counts ? undefined : 'the execution had not finished'
}

export function cannotBeFollowed(checks: Exchange[], step: FinishedStep): boolean {
  const { traffic, plan } = step
  // A step that cannot make its folder sends nothing.
  if (plan.full === 'temp' && traffic.of('status').length === 0) return true
  const start = traffic.of('start').at(-1)?.seen
  if (start && isUnclear(start)) return true
  return isFinalRefusal(checks)
}

/** Returns true if a check was made when the time was up. A `Retry-After` does not prevent it. */
function hasCheckedLast(checks: Exchange[], step: FinishedStep): boolean {
  const last = checks.at(-1)
  if (step.plan.timeout === 0 || !last) return true
  return last.at >= deadlineOf(step) - maxEarly
}

/** Checks that no result counts as valid. In the simulation, no result matches a schema. */
export function checkResults({ plan, run, files }: FinishedStep): Violation[] {
  if (!plan.isChecked) return []
  const conclusion = conclusionOf(run)
  const valid = files.batch?.rows?.filter(isValid).map(({ number }) => `run ${number}`) ?? []
  const holds = !(run.passed && conclusion === 'success') && valid.length === 0
  return check(holds, 'steps that pass with an invalid result', `${conclusion} ${valid.join()}`)
}

/** Returns true for a success with a result. A result that was lost cannot be checked. */
function isValid({ conclusion, result_file: file }: Row): boolean {
  return conclusion === 'success' && file !== null
}
