import { HttpStore, type Store } from '../../src/download/store.ts'
import { patient } from './patient-signal.ts'
import { userAgent } from './connections.ts'

/** The object store's client as the action has it: ten seconds without a byte break a link. */
export const realStore = () => new HttpStore(userAgent, { loopback: true })

/**
 * The same, with a short limit for links that stay silent for good (those that begin with one of
 * these) and for them alone: what does answer must not depend on how busy the machine is.
 */
export function storeWithSilent(...silent: string[]): Store {
  const [impatient, usual] = [
    new HttpStore(userAgent, { silence: 100, loopback: true }),
    realStore(),
  ]
  return {
    open: (link, headers, signal) => {
      const store = silent.some((start) => link.startsWith(start)) ? impatient : usual
      return store.open(link, headers, signal)
    },
  }
}

/** Opens a link and reads it to its end. */
export async function readLink(link: string, headers: Record<string, string> = {}) {
  const opened = await realStore().open(link, headers, patient)
  const chunks: Buffer[] = []
  for await (const chunk of opened.body) chunks.push(chunk)
  opened.close()
  return { ...opened, text: Buffer.concat(chunks).toString('utf8') }
}
