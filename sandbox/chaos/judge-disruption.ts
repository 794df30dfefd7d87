/** What an outage, a full disk, a dripping answer or an odd encoding must not cost. */
import { conclusionOf, deadlineOf, type Evidence } from './evidence.ts'
import type { Exchange } from './ledger.ts'
import { unless, type Offence } from './offence.ts'

/** A refresh of links has a minute; an outage takes less than half of it (`outage.ts`). */
const refreshTime = 60_000
/** A call of the API has 30 s in all, and what the wire adds. */
const longestCall = 30_000 + 1_000

export function judgeDisruption(evidence: Evidence): Offence[] {
  return [...judgeOutage(evidence), ...judgeCalls(evidence), ...judgeEncodings(evidence)]
}

function judgeOutage(evidence: Evidence): Offence[] {
  const { world, performance, files } = evidence
  const endsAt = world.outage?.endsAt
  const isCancelled = performance.cancelledAt !== undefined
  if (endsAt === undefined || endsAt < performance.startedAt || isCancelled) return []
  const hadTime = deadlineOf(evidence) >= endsAt + refreshTime
  if (!hadTime || conclusionOf(performance) !== 'success') return []
  const { result, log } = world.objects
  const lost = [
    ...(result && !files.result ? ['result'] : []),
    ...(log && !files.log ? ['log'] : []),
  ]
  return unless(lost.length === 0, 'good results lost in an outage', lost.join(' and '))
}

/** A slow answer holds up all checks after it. */
function judgeCalls({ ledger, world }: Evidence): Offence[] {
  const longest = world.extras.has('drip') ? findEndlessCall(ledger.exchanges) : undefined
  return unless(longest === undefined, 'calls that never come back', `${longest ?? 0} ms`)
}

/** How long the first call took that took too long. */
export function findEndlessCall(exchanges: readonly Pick<Exchange, 'sentAt' | 'at'>[]) {
  return exchanges.map(({ sentAt, at }) => at - sentAt).find((span) => span > longestCall)
}

function judgeEncodings({ world, files, performance }: Evidence): Offence[] {
  const shown = performance.recording.shown()
  const kept = [files.result && world.objects.result, files.log && world.objects.log]
  const unknown = kept.flatMap((object) => (object?.odd?.unknown ? [object.odd.name] : []))
  const untold = unknown.filter((name) => !shown.some((line) => line.includes(name)))
  const zero = 'unknown encodings that nobody is told of'
  return unless(untold.length === 0, zero, untold.join(', '))
}
