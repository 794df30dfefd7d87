import type { Answer } from './answer.ts'
import type { Delivery, Flaw } from './delivery.ts'
import type { Fault, FaultName } from './faults.ts'
import { damage, replacement } from './faulty-answers.ts'
import type { RecordedRequest } from './recorded-request.ts'
import type { Serving } from './stored-file.ts'

/** Carries a request out and answers it; `serving` is how links serve their file. */
export type Process = (serving: Serving) => Promise<Answer>

/** What goes out for a request, with the fault that hits it. */
export async function arrange(
  fault: Fault | undefined,
  request: RecordedRequest,
  process: Process,
): Promise<Delivery> {
  if (!fault) return { how: 'send', answer: await process({}), flaw: {} }
  const instead = silenceOrAnswer(fault, request)
  if (instead) {
    if (fault.accepted) await process({})
    return instead
  }
  const answer = damage(fault, await process(servingOf(fault)))
  return { how: 'send', answer, flaw: flawOf(fault, answer) }
}

function silenceOrAnswer(fault: Fault, request: RecordedRequest): Delivery | undefined {
  if (fault.fault === 'reset-before-answer') return { how: 'reset' }
  if (fault.fault === 'stall-headers') return { how: 'silence' }
  const answer = replacement(fault, request)
  return answer && { how: 'send', answer, flaw: {} }
}

function servingOf({ fault, encoding, noRanges }: Fault): Serving {
  return { encoding: encoding ?? (fault === 'encoding' ? 'gzip' : undefined), noRanges }
}

type FindFlaw = (fault: Fault, half: number) => Flaw
const flaws: Partial<Record<FaultName, FindFlaw>> = {
  'half-answer': (_, half) => ({ after: half, then: 'cut', lengthOff: 50 }),
  'half-chunked': (_, half) => ({ after: half, then: 'cut', chunked: true }),
  'cut-after': ({ bytes }, half) => ({ after: bytes ?? half, then: 'cut' }),
  'stall-body': ({ bytes }, half) => ({ after: bytes ?? half, then: 'stall' }),
  drip: ({ every }) => ({ dripEvery: every }),
  'wrong-length': ({ bytes }) => ({ lengthOff: bytes ?? 10 }),
  huge: ({ endless }) => (endless ? { chunked: true } : {}),
}

function flawOf(fault: Fault, { body }: Answer): Flaw {
  return flaws[fault.fault]?.(fault, Math.floor(body.length / 2)) ?? {}
}
