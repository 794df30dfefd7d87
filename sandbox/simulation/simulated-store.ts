/** Simulates the object store behind the signed links. */
import { NetworkError } from '../../src/service/service-errors.ts'
import { maxStall, type Opened, type Store } from '../../src/download/store.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { Traffic } from './traffic.ts'
import type { PendingWork } from './simulated-time.ts'
import type { Outage } from './outage.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import type { Link, ServiceFront } from './simulated-service.ts'
import { pause } from './simulated-transport.ts'
import {
  drawStoreFault,
  faultless,
  noContent,
  type StoreFault,
  type Transfer,
} from './store-faults.ts'
import { refuse } from './stored-object.ts'

/** How long a link is valid, in milliseconds. */
const linkLife = 60_000

export interface StoreContext {
  clock: SimulatedClock
  random: SeededRandom
  front: ServiceFront
  traffic: Traffic
  pending: PendingWork
  outage: Outage | undefined
  /** The probability of a fault, from 0 to 1. */
  rate: number
}

export class SimulatedStore implements Store {
  readonly #context: StoreContext
  readonly #opened = new Map<string, number>()
  /** The number of running downloads for each execution. */
  readonly #downloads = new Map<string, number>()

  constructor(context: StoreContext) {
    this.#context = context
  }

  async open(link: string, signal: AbortSignal): Promise<Opened> {
    const { front, traffic } = this.#context
    if (traffic.ended.signal.aborted) throw new NetworkError('gone', { mayHaveArrived: false })
    const found = front.find(link)
    if (!found) throw new Error('no such link')
    const { object } = found
    const random = this.#randomFor(found)
    const fault = this.#drawFault(random)
    traffic.faults.push(`encoding ${object.encoding.name}`)
    const endDownload = this.#countDownload(found)
    const closed = new AbortController()
    const untilClosed = AbortSignal.any([signal, closed.signal])
    try {
      const opened = await this.#answer(found, fault, random, untilClosed)
      const close = () => {
        opened.close()
        closed.abort()
        endDownload()
      }
      return { ...opened, close }
    } catch (error) {
      endDownload()
      throw error
    }
  }

  async #answer(
    { object, givenAt }: Link,
    fault: StoreFault | undefined,
    random: SeededRandom,
    signal: AbortSignal,
  ): Promise<Opened> {
    const { clock, outage, pending } = this.#context
    await pause(clock, random.between(1, 400), signal, false)
    if (fault?.kind === 'unreached') {
      await pause(clock, fault.silent ? maxStall : 0, signal, false)
      throw fault.error
    }
    const expired = clock.now() - givenAt > linkLife || outage?.invalidates(givenAt)
    const refused = fault?.kind === 'refused' ? fault : undefined
    const refusal = expired ? { status: 403, headers: {} } : refused
    const { transfer, deviation } = fault?.kind === 'served' ? fault : faultless
    const {
      status,
      headers: sent,
      bytes,
    } = refusal ? refuse(refusal.status, refusal.headers) : object.serve(deviation)
    const chunks = this.#flow(bytes, transfer, random, signal)
    return { status, headers: sent, ...countReading(chunks, pending) }
  }

  /** Counts a download of the execution until the returned function is called. */
  #countDownload({ executionId }: Link): () => void {
    const { traffic } = this.#context
    const add = (count: number) => {
      const files = (this.#downloads.get(executionId) ?? 0) + count
      if (files > 0) this.#downloads.set(executionId, files)
      else this.#downloads.delete(executionId)
    }
    add(1)
    traffic.maxDownloads = Math.max(traffic.maxDownloads, this.#downloads.size)
    return () => add(-1)
  }

  /** Each file has its own random numbers, so the order of parallel requests does not matter. */
  #randomFor({ file, name }: Link): SeededRandom {
    const count = (this.#opened.get(file + name) ?? 0) + 1
    this.#opened.set(file + name, count)
    return this.#context.random.fork(`${file} ${name}${count}`)
  }

  #drawFault(random: SeededRandom): StoreFault | undefined {
    const { rate } = this.#context
    const isEmpty = random.fork('204').chance(rate / 20)
    if (!random.chance(rate) && !isEmpty) return undefined
    const fault = isEmpty ? noContent : drawStoreFault(random)
    this.#context.traffic.faults.push(fault.name)
    return fault
  }

  async *#flow(
    bytes: Buffer,
    { ending, part, pause: longest, dripping }: Transfer,
    random: SeededRandom,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    const { clock, traffic } = this.#context
    const end = Math.floor(bytes.length * part)
    const usualStep = Math.max(1, Math.ceil(end / random.whole(1, 6)))
    const stepFrom = (from: number) => (from < dripping ? 1 : usualStep)
    for (let from = 0; from < end; from += stepFrom(from)) {
      const span = from < dripping ? 1_000 : random.between(0, longest)
      await pause(clock, span, signal, false)
      traffic.lastByteAt = clock.now()
      yield bytes.subarray(from, Math.min(end, from + stepFrom(from)))
    }
    if (ending === 'cut') throw new Error('aborted')
    if (ending !== 'silent') return
    await pause(clock, maxStall, signal, false)
    throw new Error('no data for 30 s')
  }
}

/**
 * Counts the work of the reader as pending from one chunk to the request for the next chunk. The
 * simulated clock stops during this work, so decoders and disks get enough real time.
 */
function countReading(chunks: AsyncGenerator<Buffer>, pending: PendingWork) {
  let isReading = false
  let isClosed = false
  const setReading = (reading: boolean) => {
    // A chunk may arrive after the reader has failed.
    if (reading === isReading || (reading && isClosed)) return
    if (reading) pending.begin()
    else pending.end()
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
  const close = () => {
    isClosed = true
    setReading(false)
  }
  return { body: read(), close }
}
