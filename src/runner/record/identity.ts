/** Identifies a step, so that a later attempt of the job finds the record of exactly this step. */
import path from 'node:path'
import { createHash, randomUUID, createHmac, hkdfSync } from 'node:crypto'
import { constants, mkdir } from 'node:fs/promises'
import { describeFileProblem } from '../../errors.ts'
import type { Credentials } from '../../service/client.ts'
import { openRegularFile } from '../files.ts'

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
  place: string
  /** The text of `place`, followed by a hash of the credentials. */
  credentials: string
  /** The text of `credentials`, followed by a hash that identifies the step. */
  step: string
  /** The record's file name. All attempts use the same name. Parallel steps use different names. */
  fileName: string
}

/** Returns where a step's records are. `occurrence` is the result of {@link countOccurrence}. */
export function addressOf(
  parts: IdentityParts,
  occurrence: number,
  runId: string,
  sign: Sign,
): RecordAddress {
  const { job, matrix, step, rerunKey, baseUrl, project, automation, webhook, seed } = parts
  const inWorkflow = [job, matrix, step, rerunKey]
  const subject = [baseUrl, project, automation, webhook, seed, String(occurrence)]
  const fileName = `${runId}-${shortHash(inWorkflow)}`
  const place = `run-automation-${fileName}-`
  const credentials = `${place}${sign('credentials').slice(0, 8)}-`
  return {
    place,
    credentials,
    step: `${credentials}${sign('identity', ...inWorkflow, ...subject)}-`,
    fileName: `${fileName}-${shortHash(subject)}`,
  }
}

function shortHash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)
}

/** The maximum size in bytes of the file with the list of steps. Each step adds 125 bytes. */
const maxStepsFileSize = 2 ** 20

/**
 * Returns how many earlier steps of this job have the same identity. Steps may run in parallel, so
 * each step appends a line to a file in `folder` and then counts the lines before that line.
 * `folder` is `RUNNER_TEMP`, which some self-hosted runners do not empty between jobs.
 *
 * @throws Error with a message that can be shown to users.
 */
export async function countOccurrence(
  identity: string,
  { folder, runId, attempt }: { folder: string; runId: string; attempt: number },
): Promise<number> {
  const name = `run-automation-steps-${runId}-${attempt}.txt`
  try {
    await mkdir(folder, { recursive: true })
    return await appendAndCount(identity, path.join(folder, name))
  } catch (error) {
    const why = `${name} in RUNNER_TEMP cannot be used: ${describeFileProblem(error)}`
    throw new Error(why, { cause: error })
  }
}

async function appendAndCount(identity: string, name: string): Promise<number> {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants
  await using file = await openRegularFile(name, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW)
  const line = `${identity} ${randomUUID()}`
  // The system does not mix short lines that parallel steps append to the file.
  await file.write(`${line}\n`)
  const { size } = await file.stat()
  if (size > maxStepsFileSize) throw new Error('it is larger than 1 MiB')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0)
  const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
  return lines.slice(0, lines.indexOf(line)).filter((other) => other.startsWith(`${identity} `))
    .length
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
