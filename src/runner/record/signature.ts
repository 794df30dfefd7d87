/**
 * Who may write to a repository's cache can list its keys and save new ones, but has no credentials
 * of the service. So what a step leaves there is signed with a key made from them, and what could be
 * guessed (a seed, the inputs of a step) stands there as a keyed hash.
 */
import { createHmac, hkdfSync } from 'node:crypto'

/** The keyed hash of these texts, in 32 hexadecimal digits (128 bits). Purposes never share a hash. */
export type Sign = (
  purpose: 'credentials' | 'identity' | 'seed' | 'record',
  ...texts: readonly string[]
) => string

export interface Credentials {
  apiToken: string
  apiKey: string
}

export function signWith({ apiToken, apiKey }: Credentials): Sign {
  const secret = JSON.stringify([apiToken, apiKey])
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'run-automation record', 32))
  return (purpose, ...texts) =>
    createHmac('sha256', key)
      // A list, so that the end of one text does not run into the beginning of the next.
      .update(JSON.stringify([purpose, ...texts]))
      .digest('hex')
      .slice(0, 32)
}
