/** Clients of the object store: as in the action, and with observers for tests. */
import { EventEmitter, once } from 'node:events'
import { HttpStore, maxStall, type Opened, type Store } from '../../src/download/store.ts'
import { userAgent } from './connections.ts'
import { neverAborts } from '../../sandbox/simulation/simulated-clock.ts'

/** Returns the client of the action. */
export const realStore = () => new HttpStore(userAgent, maxStall, true)

/**
 * Returns a client with a short stall timeout for links with one of these beginnings, which never
 * answer. Other links have the usual timeout, because the machine may be busy.
 */
export function storeWithSilent(...silent: string[]): Store {
  const brief = new HttpStore(userAgent, 100, true)
  const usual = realStore()
  return {
    open: (link, signal) => {
      const store = silent.some((start) => link.startsWith(start)) ? brief : usual
      return store.open(link, signal)
    },
  }
}

/** Opens a link and reads it to the end. */
export async function readLink(link: string) {
  const opened = await realStore().open(link, neverAborts)
  const chunks: Buffer[] = []
  for await (const chunk of opened.body) chunks.push(chunk)
  opened.close()
  return { ...opened, text: Buffer.concat(chunks).toString('utf8') }
}

/** A client that reports when bytes of the current answer have been processed. */
export class CountingStore implements Store {
  readonly #store = realStore()
  readonly #events = new EventEmitter()
  #taken = 0

  async open(link: string, signal = neverAborts): Promise<Opened> {
    this.#taken = 0
    const opened = await this.#store.open(link, signal)
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
