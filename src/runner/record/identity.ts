/** Identifies a step, so that a later attempt of the job finds the record of exactly this step. */
import { createHash, createHmac, hkdfSync } from 'node:crypto'
import type { Credentials } from '../../service/client.ts'

export interface IdentityParts {
  /** The value of `GITHUB_JOB`, which is the id of the job in the workflow file. */
  job: string
  /** The matrix values of this job as JSON. The text is `null` if the job has no matrix. */
  matrix: string
  /** `GITHUB_ACTION`: the step's id, or a generated name that may repeat in composite actions. */
  step: string
  rerunKey: string
  baseUrl: string
  project: string
  automation: string
  webhook: string
  /** The JSON text of the seed, or an empty text. For a batch: `batch`, which is never JSON. */
  seed: string
}

/** The key prefixes and the file name of a step's records in the cache. */
export interface RecordAddress {
  /** The key prefix that depends only on workflow run, job, matrix, step and input `rerun-key`. */
  placePrefix: string
  /** The text of `placePrefix`, followed by a hash of the credentials. */
  credentialsPrefix: string
  /** The text of `credentialsPrefix`, followed by a hash that identifies the step. */
  stepPrefix: string
  /** The record's file name. All attempts use the same name. Steps with other parts use others. */
  fileName: string
}

/** Returns where a step's records are. Steps with equal parts share one record. */
export function addressOf(parts: IdentityParts, runId: string, sign: Sign): RecordAddress {
  const { job, matrix, step, rerunKey, baseUrl, project, automation, webhook, seed } = parts
  const inWorkflow = [job, matrix, step, rerunKey]
  const subject = [baseUrl, project, automation, webhook, seed]
  const fileName = `${runId}-${shortHash(inWorkflow)}`
  const placePrefix = `run-automation-${fileName}-`
  const credentialsPrefix = `${placePrefix}${sign('credentials').slice(0, 8)}-`
  return {
    placePrefix,
    credentialsPrefix,
    stepPrefix: `${credentialsPrefix}${sign('identity', ...inWorkflow, ...subject)}-`,
    fileName: `${fileName}-${shortHash(subject)}`,
  }
}

function shortHash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

/**
 * Returns a keyed hash of 32 hexadecimal digits (128 bits). The key is derived from the credentials
 * of the service. Records are signed with this hash, because anybody with write access to the
 * repository's cache can list and save cache keys. Seeds and inputs are also hashed, because their
 * texts could be guessed. Equal texts with different purposes have different hashes.
 */
export type Sign = (
  purpose: 'credentials' | 'identity' | 'seed' | 'record',
  ...texts: readonly string[]
) => string

export function signWith({ apiToken, apiKey }: Pick<Credentials, 'apiToken' | 'apiKey'>): Sign {
  const secret = JSON.stringify([apiToken, apiKey])
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'run-automation record', 32))
  return (purpose, ...texts) =>
    createHmac('sha256', key)
      // As JSON, the lists `["ab","c"]` and `["a","bc"]` have different hashes.
      .update(JSON.stringify([purpose, ...texts]))
      .digest('hex')
      .slice(0, 32)
}
