import { EventEmitter, once } from 'node:events'
import type { Opened, Store } from '../../src/download/store.ts'
import { patient } from './patient-signal.ts'
import { realStore } from './store-connections.ts'

/** A store's client that tells when bytes of the present answer have been dealt with. */
export class CountingStore implements Store {
  readonly #store: Store
  readonly #events = new EventEmitter()
  #taken = 0

  constructor(store: Store = realStore()) {
    this.#store = store
  }

  async open(link: string, headers: Record<string, string>, signal = patient): Promise<Opened> {
    this.#taken = 0
    const opened = await this.#store.open(link, headers, signal)
    return { ...opened, body: this.#count(opened.body) }
  }

  async whenTaken(bytes: number): Promise<void> {
    while (this.#taken < bytes) await once(this.#events, 'taken')
  }

  async *#count(body: Opened['body']): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      yield chunk
      this.#taken += chunk.length
      this.#events.emit('taken')
    }
  }
}
