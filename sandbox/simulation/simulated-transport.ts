/** Simulates the network to the service. Delays and loses requests and answers. */
import { Deadline, TimeUp } from '../../src/clock.ts'
import { NetworkError } from '../../src/service/service-errors.ts'
import type { HttpRequest } from '../../src/service/http-request.ts'
import { transportLimits, type Answer, type Transport } from '../../src/service/transport.ts'
import { messageOf } from '../../src/errors.ts'
import {
  drawApiFault,
  foreignStatus,
  joinedStart,
  refusedStart,
  type ApiFault,
  type Reaction,
} from './api-faults.ts'
import type { SeededRandom } from './seeded-random.ts'
import { routeOf, type Route, type Seen, type Traffic } from './traffic.ts'
import type { Outage } from './outage.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import type { Reply, ServiceFront, SimulatedService } from './simulated-service.ts'
import { secretsOf, type Caller } from './secrets.ts'

export interface TransportContext {
  clock: SimulatedClock
  random: SeededRandom
  front: ServiceFront
  caller: Caller
  traffic: Traffic
  outage: Outage | undefined
  /** The probability of a fault, from 0 to 1. */
  rate: number
}

export class SimulatedTransport implements Transport {
  readonly #context: TransportContext
  readonly #requests = new Map<SimulatedService, number>()

  constructor(context: TransportContext) {
    this.#context = context
  }

  async send(request: HttpRequest, signal: AbortSignal, untilConnected = signal): Promise<Answer> {
    const { connect, get, post } = transportLimits
    const { clock } = this.#context
    using bound = new Deadline(clock, request.method === 'POST' ? post : get, signal)
    using connecting = new Deadline(clock, connect, untilConnected)
    return await this.#send(request, bound.signal, connecting.signal)
  }

  async #send(
    request: HttpRequest,
    signal: AbortSignal,
    untilConnected: AbortSignal,
  ): Promise<Answer> {
    const { clock, traffic, caller, front } = this.#context
    if (traffic.ended.signal.aborted) throw new NetworkError('gone', { mayHaveArrived: false })
    const route = routeOf(request, caller, traffic)
    const service = front.serviceFor(request)
    const random = this.#randomFor(service, route)
    const fault = this.#drawFault(route, service, random)
    const sentAt = clock.now()
    let connectedAt: number | undefined
    const record = (seen: Seen, isInterrupted = false) => {
      const at = clock.now()
      traffic.exchanges.push({ route, service, seen, sentAt, connectedAt, at, isInterrupted })
    }
    try {
      await this.#connect(fault?.reaction, random, untilConnected)
      connectedAt = clock.now()
      const reply = await this.#deliver({ request, route, service }, fault, random, signal)
      const delay = this.#delayOf(fault?.reaction, reply) + drawLatency(random, request)
      await pause(clock, delay, signal, true)
      if (fault?.reaction.kind === 'no-answer') {
        throw new NetworkError(fault.reaction.why, { mayHaveArrived: true })
      }
      const { answer, seen } = this.#answerOf(reply, fault)
      record(seen)
      // A step makes many checks. The signal may come at the time of each of them.
      if (random.fork('moment').chance(0.2)) traffic.moments.answer.abort()
      return answer
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      const end = error.mayHaveArrived ? signal : untilConnected
      const isInterrupted = end.aborted && !(end.reason instanceof TimeUp)
      const kind = error.mayHaveArrived ? 'lost' : 'no-connection'
      record({ kind, status: 0, proper: false }, isInterrupted)
      throw error
    }
  }

  /** Each service has its own random numbers, so the order of parallel requests does not matter. */
  #randomFor(service: SimulatedService, route: Route): SeededRandom {
    const count = (this.#requests.get(service) ?? 0) + 1
    this.#requests.set(service, count)
    return this.#context.random.fork(`${route} ${service.name}${count}`)
  }

  #drawFault(route: Route, service: SimulatedService, random: SeededRandom): ApiFault | undefined {
    const { rate, clock, caller, traffic, outage } = this.#context
    const otherId = route === 'start' ? traffic.idBeside(service) : undefined
    if (otherId !== undefined && random.fork('joined').chance(rate / 5)) {
      traffic.faults.push('execution of another run')
      return joinedStart(otherId)
    }
    if (otherId !== undefined && random.fork('refused').chance(rate / 5)) {
      traffic.faults.push(refusedStart.name)
      return refusedStart
    }
    const out = route === 'status' ? outage?.faultAt(clock.now()) : undefined
    if (route === 'status' && random.fork('foreign').chance(rate / 20)) {
      traffic.faults.push(foreignStatus.name)
      return foreignStatus
    }
    if (!out && !random.chance(rate)) return undefined
    const [now, secrets] = [clock.date().getTime(), secretsOf(caller)]
    const fault = out ?? drawApiFault({ route, random, now, secrets })
    traffic.faults.push(fault.name)
    return fault
  }

  async #connect(
    reaction: Reaction | undefined,
    random: SeededRandom,
    signal: AbortSignal,
  ): Promise<void> {
    const refused = reaction?.kind === 'no-connection'
    const span = refused && reaction.silent ? transportLimits.connect : random.between(1, 300)
    await pause(this.#context.clock, span, signal, false)
    if (refused) throw new NetworkError('connect ECONNREFUSED', { mayHaveArrived: false })
  }

  /** Passes the request to the service. After a cancellation, the request may still arrive. */
  async #deliver(
    { request, route, service }: { request: HttpRequest; route: Route; service: SimulatedService },
    fault: ApiFault | undefined,
    random: SeededRandom,
    signal: AbortSignal,
  ): Promise<Reply | undefined> {
    const { clock, traffic } = this.#context
    const arrive = () => service.handle(route, request, traffic)
    try {
      await pause(clock, random.between(1, 300), signal, true)
    } catch (error) {
      if (random.chance(0.5)) arrive()
      throw error
    }
    return !fault || fault.arrives ? arrive() : undefined
  }

  /** Returns how long the fault delays the answer, in milliseconds. */
  #delayOf(reaction: Reaction | undefined, reply: Reply | undefined): number {
    if (reaction?.kind === 'no-answer') return reaction.silent ? Infinity : 0
    return reaction?.kind === 'drip' ? JSON.stringify(reply?.body).length * 1_000 : 0
  }

  #answerOf(reply: Reply | undefined, fault: ApiFault | undefined): { answer: Answer; seen: Seen } {
    const receivedAt = this.#context.clock.date().getTime()
    const forged = fault?.reaction.kind === 'answer' ? fault.reaction : undefined
    const other = fault?.reaction.kind === 'other-status' ? fault.reaction.status : undefined
    const status = forged?.status ?? other ?? reply?.status ?? 0
    const headers: Record<string, string> = forged?.headers ?? {
      'content-type': 'application/json',
    }
    const foreign = fault?.reaction.kind === 'foreign' ? foreignBody(reply) : undefined
    const sent = foreign ?? reply?.body
    const body = forged?.body ?? (typeof sent === 'string' ? sent : JSON.stringify(sent))
    const seen: Seen = {
      kind: 'answer',
      status,
      isProven: this.#context.traffic.isProven(),
      isWebPage: /^<(?:!doctype )?html/.test(body),
      retryAfter: spanOf(headers, receivedAt),
      proper: !forged && !foreign,
      record: forged || foreign ? undefined : reply?.record,
      executionId: forged ? forged.executionId : reply?.executionId,
    }
    return { answer: { status, headers, body, receivedAt }, seen }
  }
}

/** Sleeps for `span` milliseconds. @throws NetworkError if the signal aborts first. */
export async function pause(
  clock: SimulatedClock,
  span: number,
  signal: AbortSignal,
  mayHaveArrived: boolean,
): Promise<void> {
  await clock.sleep(span, signal).catch(() => {
    throw new NetworkError(messageOf(signal.reason), { mayHaveArrived, cause: signal.reason })
  })
}

/**
 * Returns the status of another execution. This execution is finished and has the opposite `error`
 * flag. Returns undefined if the id is not a UUID, because the product compares only UUIDs.
 */
function foreignBody(reply: Reply | undefined): object | undefined {
  const { exec_uuid: id } = (reply?.body ?? {}) as { exec_uuid?: string }
  if (!reply?.record || !/^[\da-f-]{36}$/.test(id ?? '')) return undefined
  const exec_uuid = `${id?.slice(0, -1)}${id?.endsWith('0') ? '1' : '0'}`
  return { ...reply.record, exec_uuid, finished: true, error: !reply.record.error }
}

/** Converts a `Retry-After` header (seconds or a date) to a span in milliseconds. */
function spanOf(headers: Record<string, string>, now: number): number | undefined {
  const { 'retry-after': retryAfter, date } = headers
  if (retryAfter === undefined) return undefined
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000
  return Math.max(0, Date.parse(retryAfter) - (date === undefined ? now : Date.parse(date)))
}

/** Returns a delay below 0.9 s. In 5 % of the calls, the delay may be just below the time limit. */
function drawLatency(random: SeededRandom, { method }: HttpRequest): number {
  const limit = method === 'POST' ? transportLimits.post : transportLimits.get
  return random.chance(0.95) ? random.between(1, 900) : random.between(900, limit - 1_000)
}
