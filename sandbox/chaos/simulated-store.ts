/** The object store behind the links: slow, forgetful, and strict about what it is asked. */
import { messageOf } from '../../src/errors.ts'
import { NetworkError } from '../../src/service/errors.ts'
import { UnusableLinkError, type Opened, type Store } from '../../src/download/store.ts'
import type { Dice } from './dice.ts'
import type { Extras } from './extra-faults.ts'
import type { Ledger } from './ledger.ts'
import type { Busy } from './lifetime.ts'
import type { Outage } from './outage.ts'
import type { SimulatedClock } from './simulated-clock.ts'
import type { FileKind, SimulatedService } from './simulated-service.ts'
import { StoreBody } from './store-body.ts'
import { drawStoreFault, faultless, type Course, type StoreFault } from './store-faults.ts'
import { serve } from './store-serving.ts'
import type { StoredObject } from './stored-object.ts'

/** Validity of a link ("Limits"). */
const linkLife = 60_000
/** As the real client's: without a byte for so long, a link counts as broken. */
const silence = 10_000

export interface Shelf {
  clock: SimulatedClock
  dice: Dice
  service: SimulatedService
  objects: Partial<Record<FileKind, StoredObject>>
  ledger: Ledger
  busy: Busy
  outage: Outage | undefined
  extras: Extras
  /** How often something goes wrong, from 0 to 1. */
  rate: number
}

export class SimulatedStore implements Store {
  readonly #shelf: Shelf
  readonly #opened = { result: 0, log: 0 }

  constructor(shelf: Shelf) {
    this.#shelf = shelf
  }

  async open(link: string, headers: Record<string, string>, signal: AbortSignal): Promise<Opened> {
    const { clock, service, objects, ledger, outage } = this.#shelf
    const found = service.find(link)
    const object = found && objects[found.file]
    if (!found || !object) throw new UnusableLinkError('no such link')
    if ('authorization' in headers || 'x-api-key' in headers) {
      ledger.complaints.push('credentials sent to the store')
    }
    const dice = this.#shelf.dice.fork(`${found.file} ${++this.#opened[found.file]}`)
    const fault = this.#drawFault(dice)
    if (object.odd) ledger.faults.push(`encoding ${object.odd.name}`)
    await this.#pause(dice.between(1, 400), signal)
    if (fault?.kind === 'unreached') {
      if (fault.silent) await this.#pause(silence, signal)
      throw new NetworkError('connect ECONNREFUSED', { mayHaveArrived: false })
    }
    if (fault?.kind === 'unusable') throw new UnusableLinkError('the link is not https')
    const age = clock.now() - found.givenAt
    const expired = age > linkLife || outage?.spoils(found.givenAt)
    if (expired || fault?.kind === 'refused') {
      return this.#refuse(expired ? 403 : fault?.kind === 'refused' ? fault.status : 0, dice)
    }
    return this.#serve(object, headers, fault, dice, signal)
  }

  #drawFault(dice: Dice): StoreFault | undefined {
    if (!dice.chance(this.#shelf.rate)) return undefined
    const fault = drawStoreFault(dice, this.#shelf.extras)
    this.#shelf.ledger.faults.push(fault.name)
    return fault
  }

  #serve(
    object: StoredObject,
    headers: Record<string, string>,
    fault: Extract<StoreFault, { kind: 'served' }> | undefined,
    dice: Dice,
    signal: AbortSignal,
  ): Opened {
    const { status, headers: served, bytes } = serve(object, headers, fault?.twist ?? 'none')
    return this.#open(status, served, this.#flow(bytes, fault?.course ?? faultless, dice, signal))
  }

  #refuse(status: number, dice: Dice): Opened {
    const words = Buffer.from('<Error><Code>AccessDenied</Code></Error>')
    const course = { ...faultless, pause: 1 }
    const never = new AbortController().signal
    return this.#open(status, {}, this.#flow(words, course, dice, never))
  }

  #open(status: number, headers: Opened['headers'], chunks: AsyncGenerator<Buffer>): Opened {
    const body = new StoreBody(chunks, this.#shelf.busy)
    return { status, headers, body, close: () => body.close() }
  }

  async *#flow(
    bytes: Buffer,
    { ending, part, pause, dripping }: Course,
    dice: Dice,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    const end = Math.floor(bytes.length * part)
    const usualStep = Math.max(1, Math.ceil(end / dice.whole(1, 6)))
    const stepFrom = (from: number) => (from < dripping ? 1 : usualStep)
    for (let from = 0; from < end; from += stepFrom(from)) {
      await this.#pause(from < dripping ? 1_000 : dice.between(0, pause), signal)
      this.#shelf.ledger.lastByteAt = this.#shelf.clock.now()
      yield bytes.subarray(from, Math.min(end, from + stepFrom(from)))
    }
    if (ending === 'cut') throw new Error('aborted')
    if (ending !== 'silent') return
    await this.#pause(silence, signal)
    throw new Error('silent for 10 s')
  }

  async #pause(span: number, signal: AbortSignal): Promise<void> {
    await this.#shelf.clock.sleep(span, signal).catch(() => {
      throw new NetworkError(messageOf(signal.reason), { mayHaveArrived: false })
    })
  }
}
