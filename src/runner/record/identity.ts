/** Identifies a step, so that a later attempt of the job finds the record of exactly this step. */
import { createHash, createHmac, hkdfSync } from 'node:crypto'
import type { Credentials } from '../../service/client.ts'

/** The record of a single run is the key of a cache entry. The record of a batch is the file in one. */
export type RecordForm = 'key' | 'file'

/** The key prefixes and the file name of a step's records in the cache. */
export interface RecordAddress {
  /** The key prefix that depends only on the place of the step in the workflow run. */
  placePrefix: string
  /** The text of `placePrefix`, followed by a hash of the credentials. */
  credentialsPrefix: string
  /** The text of `credentialsPrefix`, followed by a hash that identifies the step. */
  stepPrefix: string
  /** The record's file name. All attempts use the same name. */
  fileName: string
}

/**
 * Returns where a step's records are. Steps with equal texts in `place` and `subject` share one
 * record. `place`: where the step is in the workflow run. `subject`: what the step runs.
 */
export function addressOf(
  form: RecordForm,
  runId: string,
  place: readonly string[],
  subject: readonly string[],
  hmac: Hmac,
): RecordAddress {
  const name = `${runId}-${shortHash(place)}`
  const placePrefix = `run-automation-${name}-`
  const credentialsPrefix = `${placePrefix}${hmac('credentials').slice(0, 8)}-`
  return {
    placePrefix,
    credentialsPrefix,
    stepPrefix: `${credentialsPrefix}${hmac('identity', ...place, ...subject)}-`,
    // The file of a single run is empty, so all steps can use the same one.
    fileName: form === 'key' ? 'record' : `${name}-${shortHash(subject)}`,
  }
}

function shortHash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

/**
 * Returns an HMAC of 32 hexadecimal digits (128 bits). Its key is derived from the credentials of the
 * service. Records have an HMAC, because anybody with write access to the repository's cache can list
 * and save cache keys. Seeds and inputs are replaced by an HMAC in a key, because their texts could be
 * guessed. Equal texts with different purposes have different HMACs.
 */
export type Hmac = (
  purpose: 'credentials' | 'identity' | 'seed' | 'record',
  ...texts: readonly string[]
) => string

export function hmacWith({ apiToken, apiKey }: Pick<Credentials, 'apiToken' | 'apiKey'>): Hmac {
  const secret = JSON.stringify([apiToken, apiKey])
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'run-automation record', 32))
  return (purpose, ...texts) =>
    createHmac('sha256', key)
      // As JSON, the lists `["ab","c"]` and `["a","bc"]` have different hashes.
      .update(JSON.stringify([purpose, ...texts]))
      .digest('hex')
      .slice(0, 32)
}
