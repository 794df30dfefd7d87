/** The conclusion, held against what the service said. */
import { conclusionOf, deadlineOf, type Evidence } from './evidence.ts'
import { leavesOpen, type Exchange, type StatusRecord } from './ledger.ts'
import { unless, type Offence } from './offence.ts'
import { outcomeOf } from './run-plan.ts'

/** Rule 8: so long may a flag stand without `finished`, and a run be unknown, before it counts. */
const grace = 30_000

export function judgeVerdict(evidence: Evidence): Offence[] {
  const { plan, performance } = evidence
  if (plan.action === 'create-project') return judgeCreation(evidence)
  if (plan.action === 'start') return []
  const conclusion = conclusionOf(performance)
  const why = `${conclusion || 'none'}: ${whyWrong(conclusion, evidence) ?? ''}`
  const holds = whyWrong(conclusion, evidence) === undefined
  return unless(holds, 'verdicts that disagree with the service', why)
}

function judgeCreation({ performance, ledger }: Evidence): Offence[] {
  const created = performance.recording.output('created')
  const isTrue = ledger.accepted.length > 0
  const holds = created === '' || created === String(isTrue)
  return unless(holds, 'verdicts that disagree with the service', `created: ${created}`)
}

/** What the conclusion lacks; undefined where it is right. */
function whyWrong(conclusion: string, evidence: Evidence): string | undefined {
  const { performance, ledger } = evidence
  const checks = ledger.of('status')
  const record = lastRecord(checks)
  switch (conclusion) {
    case 'success':
    case 'error':
    case 'container-error':
    case 'stopped':
      return whyNotEnded(conclusion, record, checks, evidence)
    case 'timed-out':
      if (record?.finished) return 'the service had said that it is over'
      if (!isLate(evidence)) return 'there was time left'
      return hasLookedLast(checks, evidence) ? undefined : 'nobody looked when the time was over'
    case 'cancelled':
      return performance.cancelledAt === undefined ? 'nobody cancelled it' : undefined
    case 'unknown':
      return isUnwatchable(checks, evidence) ? undefined : 'it could be watched'
    case '':
      if (performance.recording.lostOutputs > 0) return whyLeftAlone(record, checks, evidence)
      return ledger.accepted.length > 0 && evidence.plan.action === 'run'
        ? 'a run may exist'
        : undefined
    default:
      return 'no such conclusion'
  }
}

/** A step whose outputs cannot be written owes the run the same attention. */
function whyLeftAlone(
  record: StatusRecord | undefined,
  checks: Exchange[],
  evidence: Evidence,
): string | undefined {
  const { ledger, performance, plan } = evidence
  const ended = record !== undefined && (record.finished || outcomeOf(record) !== 'success')
  const noRun = plan.action === 'run' && ledger.accepted.length === 0
  const cut = performance.cancelledAt !== undefined || isLate(evidence)
  if (ended || noRun || cut || isUnwatchable(checks, evidence)) return undefined
  return 'it was not followed to its end'
}

function whyNotEnded(
  conclusion: string,
  record: StatusRecord | undefined,
  checks: Exchange[],
  evidence: Evidence,
): string | undefined {
  if (!record) return 'the service never said anything'
  if (outcomeOf(record) !== conclusion) return `the service said ${JSON.stringify(record)}`
  if (record.finished) return undefined
  const since = flaggedSince(checks) ?? Infinity
  const counts = evidence.performance.endedAt - since >= grace || isLate(evidence)
  return counts ? undefined : 'it was not over'
}

/** Since when all proper answers have had a flag. */
function flaggedSince(checks: Exchange[]): number | undefined {
  const proper = checks.flatMap(({ seen, at }) => {
    const record = recordOf(seen)
    return record ? [{ at, outcome: outcomeOf(record) }] : []
  })
  const lastPlain = proper.findLastIndex(({ outcome }) => outcome === 'success')
  return proper[lastPlain + 1]?.at
}

function isUnwatchable(checks: Exchange[], evidence: Evidence): boolean {
  const { ledger } = evidence
  const start = ledger.of('start').at(-1)?.seen
  if (start && leavesOpen(start)) return true
  const statuses = checks.map(({ seen }) => (seen.kind === 'answer' ? seen.status : 0))
  if ([401, 403].includes(statuses.at(-1) ?? 0)) return true
  if (isRefusedForGood(checks)) return true
  const lastOther = statuses.findLastIndex((status) => status !== 404)
  const missing = checks.slice(lastOther + 1)
  const span = (missing.at(-1)?.at ?? 0) - (missing[0]?.at ?? 0)
  return span >= grace || (isLate(evidence) && !lastRecord(checks) && statuses.includes(404))
}

/** Rule 8: the same final refusal for 5 minutes, without a proper answer in between. */
function isRefusedForGood(checks: Exchange[]): boolean {
  const statusOf = ({ seen }: Exchange) => (seen.kind === 'answer' ? seen.status : 0)
  const last = checks.at(-1)
  if (!last || ![400, 405, 410, 422].includes(statusOf(last))) return false
  const lastProper = checks.findLastIndex(({ seen }) => recordOf(seen) !== undefined)
  const since = checks.slice(lastProper + 1).find((check) => statusOf(check) === statusOf(last))
  return last.at - (since?.at ?? last.at) >= 300_000
}

/** Rule 7: one last check when the time is over, unless the service asked to wait. */
function hasLookedLast(checks: Exchange[], evidence: Evidence): boolean {
  const last = checks.at(-1)
  if (evidence.plan.timeout === 0 || !last) return true
  const asksToWait = last.seen.kind === 'answer' && last.seen.saysRetryAfter
  return asksToWait || last.at >= deadlineOf(evidence)
}

function isLate(evidence: Evidence): boolean {
  return evidence.plan.timeout === 0 || evidence.performance.endedAt >= deadlineOf(evidence)
}

function lastRecord(checks: Exchange[]): StatusRecord | undefined {
  return checks.map(({ seen }) => recordOf(seen)).findLast((record) => record !== undefined)
}

function recordOf(seen: Exchange['seen']): StatusRecord | undefined {
  return seen.kind === 'answer' ? seen.record : undefined
}
