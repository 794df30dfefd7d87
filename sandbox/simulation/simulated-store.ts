/** The simulated object store behind the signed links. */
import { messageOf } from '../../src/errors.ts'
import { NetworkError } from '../../src/service/errors.ts'
import { UnusableLinkError, type Opened, type Store } from '../../src/download/store.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { Traffic } from './traffic.ts'
import type { PendingWork } from './simulated-time.ts'
import type { Outage } from './outage.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import type { FileKind, SimulatedService } from './simulated-service.ts'
import { drawStoreFault, faultless, type StoreFault, type Transfer } from './store-faults.ts'
import { answerRange, refuse } from './store-answer.ts'
import type { StoredObject } from './stored-object.ts'

/** Validity of a link. */
const linkLife = 60_000
/** Without a byte for so long, the product's client gives a link up. */
const silence = 10_000

export interface StoreContext {
  clock: SimulatedClock
  random: SeededRandom
  service: SimulatedService
  objects: Partial<Record<FileKind, StoredObject>>
  traffic: Traffic
  pending: PendingWork
  outage: Outage | undefined
  /** How often something goes wrong, from 0 to 1. */
  rate: number
}

export class SimulatedStore implements Store {
  readonly #context: StoreContext
  readonly #opened = { result: 0, log: 0 }

  constructor(context: StoreContext) {
    this.#context = context
  }

  async open(link: string, headers: Record<string, string>, signal: AbortSignal): Promise<Opened> {
    const { clock, service, objects, traffic, outage, pending } = this.#context
    const found = service.find(link)
    const object = found && objects[found.file]
    if (!found || !object) throw new UnusableLinkError('no such link')
    if ('authorization' in headers || 'x-api-key' in headers) {
      traffic.requestFaults.push('credentials sent to the store')
    }
    const random = this.#context.random.fork(`${found.file} ${++this.#opened[found.file]}`)
    const fault = this.#drawFault(random)
    traffic.faults.push(`encoding ${object.encoding.name}`)
    await this.#pause(random.between(1, 400), signal)
    if (fault?.kind === 'unreached') {
      await this.#pause(fault.silent ? silence : 0, signal)
      throw fault.error
    }
    const expired = clock.now() - found.givenAt > linkLife || outage?.invalidates(found.givenAt)
    const refusal = expired ? 403 : fault?.kind === 'refused' ? fault.status : undefined
    const { transfer, deviation } = fault?.kind === 'served' ? fault : faultless
    const {
      status,
      headers: sent,
      bytes,
    } = refusal === undefined ? answerRange(object, headers, deviation) : refuse(refusal)
    const chunks = this.#flow(bytes, transfer, random, signal)
    return { status, headers: sent, ...countReading(chunks, pending) }
  }

  #drawFault(random: SeededRandom): StoreFault | undefined {
    if (!random.chance(this.#context.rate)) return undefined
    const fault = drawStoreFault(random)
    this.#context.traffic.faults.push(fault.name)
    return fault
  }

  async *#flow(
    bytes: Buffer,
    { ending, part, pause, dripping }: Transfer,
    random: SeededRandom,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    const end = Math.floor(bytes.length * part)
    const usualStep = Math.max(1, Math.ceil(end / random.whole(1, 6)))
    const stepFrom = (from: number) => (from < dripping ? 1 : usualStep)
    for (let from = 0; from < end; from += stepFrom(from)) {
      await this.#pause(from < dripping ? 1_000 : random.between(0, pause), signal)
      this.#context.traffic.lastByteAt = this.#context.clock.now()
      yield bytes.subarray(from, Math.min(end, from + stepFrom(from)))
    }
    if (ending === 'cut') throw new Error('aborted')
    if (ending !== 'silent') return
    await this.#pause(silence, signal)
    throw new Error('silent for 10 s')
  }

  async #pause(span: number, signal: AbortSignal): Promise<void> {
    await this.#context.clock.sleep(span, signal).catch(() => {
      throw new NetworkError(messageOf(signal.reason), { mayHaveArrived: false })
    })
  }
}

/**
 * From one chunk until the next is asked for, the reader's work counts as pending, so that decoders
 * and disks get the real time they need.
 */
function countReading(chunks: AsyncGenerator<Buffer>, pending: PendingWork) {
  let isReading = false
  const setReading = (reading: boolean) => {
    if (reading && !isReading) pending.begin()
    if (!reading && isReading) pending.end()
    isReading = reading
  }
  const read = async function* () {
    for (;;) {
      setReading(false)
      const next = await chunks.next().finally(() => setReading(true))
      if (next.done === true) return
      yield next.value
    }
  }
  setReading(true)
  return { body: read(), close: () => setReading(false) }
}
