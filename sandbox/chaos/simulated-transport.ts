/** The way to the service: it takes time, and not every request or answer arrives. */
import { Deadline } from '../../src/clock.ts'
import { NetworkError } from '../../src/service/errors.ts'
import { transportLimits, type Answer, type ApiRequest } from '../../src/service/transport.ts'
import type { Transport } from '../../src/service/transport.ts'
import { messageOf } from '../../src/errors.ts'
import { drawApiFault, type ApiFault, type Reaction } from './api-faults.ts'
import type { Dice } from './dice.ts'
import type { Extras } from './extra-faults.ts'
import type { Ledger, Route, Seen } from './ledger.ts'
import type { Outage } from './outage.ts'
import { routeOf } from './request-check.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import type { Reply, SimulatedService } from './simulated-service.ts'
import { secretsOf, type Caller } from './step-plan.ts'

/** How long a call may take in all, where the real transport bounds it. Milliseconds. */
const { total: callBound }: { stallTimeout: number; total?: number } = transportLimits

export interface Way {
  clock: SimulatedClock
  dice: Dice
  service: SimulatedService
  caller: Caller
  ledger: Ledger
  outage: Outage | undefined
  extras: Extras
  /** How often something goes wrong, from 0 to 1. */
  rate: number
}

export class SimulatedTransport implements Transport {
  readonly #way: Way
  #requests = 0

  constructor(way: Way) {
    this.#way = way
  }

  async send(request: ApiRequest, signal: AbortSignal): Promise<Answer> {
    if (callBound === undefined) return this.#send(request, signal)
    using bound = new Deadline(this.#way.clock, callBound, signal)
    return await this.#send(request, bound.signal)
  }

  async #send(request: ApiRequest, signal: AbortSignal): Promise<Answer> {
    const { clock, ledger, caller } = this.#way
    const route = routeOf(request, caller, ledger)
    const dice = this.#way.dice.fork(`${route} ${++this.#requests}`)
    const fault = this.#drawFault(route, dice)
    const sentAt = clock.now()
    const pause = (span: number, why: () => Error) =>
      clock.sleep(span, signal).catch(() => {
        throw why()
      })
    try {
      await this.#connect(fault?.reaction, dice, (span) => pause(span, () => unreached(signal)))
      const reply = await this.#deliver(request, route, fault, dice, signal)
      await pause(drawLatency(dice), () => lost(messageOf(signal.reason)))
      const { answer, seen } = this.#answerOf(reply, fault)
      if (fault?.reaction.kind === 'no-answer') {
        if (fault.reaction.silent)
          await pause(transportLimits.stallTimeout, () => lost(messageOf(signal.reason)))
        throw lost(fault.reaction.why)
      }
      if (fault?.reaction.kind === 'drip') {
        const seconds = Buffer.byteLength(answer.body)
        await pause(seconds * 1_000, () => lost(messageOf(signal.reason)))
      }
      ledger.exchanges.push({ route, seen, sentAt, at: clock.now() })
      return answer
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      const kind = error.mayHaveArrived ? 'lost' : 'no-connection'
      ledger.exchanges.push({ route, seen: { kind }, sentAt, at: clock.now() })
      throw error
    }
  }

  #drawFault(route: Route, dice: Dice): ApiFault | undefined {
    const { rate, clock, caller, ledger, extras, outage } = this.#way
    const out = route === 'status' ? outage?.faultAt(clock.now()) : undefined
    if (!out && !dice.chance(rate)) return undefined
    const [now, secrets] = [clock.date().getTime(), secretsOf(caller)]
    const fault = out ?? drawApiFault({ route, dice, now, secrets, extras })
    ledger.faults.push(fault.name)
    return fault
  }

  async #connect(
    reaction: Reaction | undefined,
    dice: Dice,
    pause: (span: number) => Promise<void>,
  ): Promise<void> {
    const refused = reaction?.kind === 'no-connection'
    await pause(refused && reaction.silent ? transportLimits.stallTimeout : dice.between(1, 300))
    if (refused) throw new NetworkError('connect ECONNREFUSED', { mayHaveArrived: false })
  }

  /** The request's own way: what is sent may arrive, even if nobody waits for its answer. */
  async #deliver(
    request: ApiRequest,
    route: Route,
    fault: ApiFault | undefined,
    dice: Dice,
    signal: AbortSignal,
  ): Promise<Reply | undefined> {
    const { clock, service, ledger } = this.#way
    const arrive = () => service.handle(route, request, ledger)
    try {
      await clock.sleep(dice.between(1, 300), signal)
    } catch {
      if (dice.chance(0.5)) arrive()
      throw lost(messageOf(signal.reason))
    }
    return !fault || fault.arrives ? arrive() : undefined
  }

  #answerOf(reply: Reply | undefined, fault: ApiFault | undefined): { answer: Answer; seen: Seen } {
    const receivedAt = this.#way.clock.date().getTime()
    const forged = fault?.reaction.kind === 'answer' ? fault.reaction : undefined
    const status = forged?.status ?? reply?.status ?? 0
    const headers = forged?.headers ?? { 'content-type': 'application/json' }
    const body = forged?.body ?? JSON.stringify(reply?.body)
    const seen: Seen = {
      kind: 'answer',
      status,
      saysRetryAfter: 'retry-after' in headers,
      proper: !forged,
      record: forged ? undefined : reply?.record,
    }
    return { answer: { status, headers, body, receivedAt }, seen }
  }
}

function unreached(signal: AbortSignal): NetworkError {
  return new NetworkError(messageOf(signal.reason), { mayHaveArrived: false })
}

function lost(why: string): NetworkError {
  return new NetworkError(why, { mayHaveArrived: true })
}

/** Mostly quick; sometimes nearly as slow as the transport allows. */
function drawLatency(dice: Dice): number {
  return dice.chance(0.95) ? dice.between(1, 900) : dice.between(900, transportLimits.stallTimeout)
}
