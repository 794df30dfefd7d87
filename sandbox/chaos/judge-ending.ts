/** Never silently green, never red for nothing, and in time. */
import { conclusionOf, deadlineOf, type Evidence } from './evidence.ts'
import { unless, type Offence } from './offence.ts'

/**
 * Rule 7, and what a person who cancels expects: the last check may take 2 s, and a store that is
 * silent after it one more.
 */
const grace = 3_000
const graceAfterCancel = 1_000

export function judgeEnding(evidence: Evidence): Offence[] {
  const { performance, ledger } = evidence
  const { hung, bug, passed, recording, timersLeft } = performance
  if (hung !== undefined) return [{ zero: 'steps that never end', why: hung }]
  const { errors } = recording
  return [
    ...unless(bug === undefined, 'bugs', bug instanceof Error ? (bug.stack ?? '') : String(bug)),
    ...unless(
      errors === (passed ? 0 : 1),
      'failures without exactly one annotation',
      `${errors} on a step that ${passed ? 'passed' : 'failed'}`,
    ),
    ...unless(timersLeft === 0, 'timers left running', String(timersLeft)),
    ...ledger.complaints.map((why): Offence => ({
      zero: 'requests that are not as documented',
      why,
    })),
    ...judgeColour(evidence),
    ...judgeTime(evidence),
  ]
}

function judgeColour(evidence: Evidence): Offence[] {
  const { passed } = evidence.performance
  const should = shouldPass(evidence)
  const why = conclusionOf(evidence.performance)
  return [
    ...unless(!passed || should, 'silent greens', why),
    ...unless(passed || !should, 'reds without a reason', why),
  ]
}

function shouldPass(evidence: Evidence): boolean {
  const { plan, performance, files, ledger } = evidence
  const { recording } = performance
  if (recording.lostOutputs > 0) return false
  if (plan.action === 'start') return recording.output('execution-id') !== ''
  if (plan.action === 'create-project') {
    const created = recording.output('created')
    const exists = ledger
      .of('create-project')
      .some(({ seen }) => seen.kind === 'answer' && seen.proper && seen.status === 400)
    return created === 'true' || (created === 'false' && exists && plan.ifExists === 'skip')
  }
  const conclusion = conclusionOf(performance)
  const kept = evidence.world.plan.result !== undefined
  if (conclusion === 'success') return !kept || files.result !== undefined
  return optional.has(conclusion) && !plan.failOn.includes(conclusion)
}

/** What fails a step only if it asks for that ("Conclusions"). */
const optional = new Set(['error', 'container-error', 'stopped', 'timed-out'])

function judgeTime(evidence: Evidence): Offence[] {
  const { performance, ledger } = evidence
  const { endedAt, cancelledAt } = performance
  // What flows may finish.
  const deadline = Math.max(deadlineOf(evidence), ledger.lastByteAt) + grace
  const limit = Math.min(deadline, (cancelledAt ?? Infinity) + graceAfterCancel)
  return unless(endedAt <= limit, 'steps that end late', `by ${endedAt - limit} ms`)
}
