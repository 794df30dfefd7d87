/**
 * Identifies a step of a job. A later attempt finds the record of the same step, and never the record
 * of another step.
 */
import path from 'node:path'
import { createHash, randomUUID, createHmac, hkdfSync } from 'node:crypto'
import { constants, mkdir } from 'node:fs/promises'
import { describeFileProblem } from '../../errors.ts'
import type { Credentials } from '../../service/client.ts'
import { openRegularFile } from '../files.ts'

/** Everything that identifies a step that starts something. */
export interface IdentityParts {
  /** `GITHUB_JOB`: the job's key in the workflow file. */
  job: string
  /** The values of the matrix for this job, as JSON. `null` without a matrix. */
  matrix: string
  /** `GITHUB_ACTION`: the id of the step, or a generated name. Composite actions repeat generated names. */
  step: string
  rerunKey: string
  baseUrl: string
  project: string
  automation: string
  webhook: string
  /** The text of the seed as it is sent, or the shard of a batch. No seed begins like a shard. */
  seedOrShard: string
}

/** Where the records of a step are. The first three are prefixes of keys, each longer than the one before. */
export interface RecordAddress {
  /** The prefix for this place of the workflow, in this workflow run. It contains no secret. */
  place: string
  /** The beginning of all keys of records that were written with the same credentials. */
  credentials: string
  /** The prefix for the records of this step. */
  step: string
  /** All attempts use this name. No other step on this machine uses it at the same time. */
  fileName: string
}

/** `occurrence`: how many steps of this job had the same parts before (see {@link countOccurrence}). */
export function addressOf(
  parts: IdentityParts,
  occurrence: number,
  runId: string,
  sign: Sign,
): RecordAddress {
  const { job, matrix, step, rerunKey, baseUrl, project, automation, webhook, seedOrShard } = parts
  const inWorkflow = [job, matrix, step, rerunKey]
  const subject = [baseUrl, project, automation, webhook, seedOrShard, String(occurrence)]
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

/** Bytes. A larger file is not read. One line takes 125 bytes. */
const maxStepsFileSize = 2 ** 20

/**
 * Returns how many earlier steps of this job have the same identity. Steps of a job may run at the
 * same time, so each step first appends a line and then counts the lines before its own. `folder`:
 * `RUNNER_TEMP`, which some self-hosted runners do not empty between jobs.
 *
 * @throws Error with a reason for people.
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
  // The system does not mix short writes to a file that is open for appending.
  await file.write(`${line}\n`)
  const { size } = await file.stat()
  if (size > maxStepsFileSize) throw new Error('it is larger than 1 MiB')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0)
  const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
  return lines.slice(0, lines.indexOf(line)).filter((other) => other.startsWith(`${identity} `))
    .length
}

/**
 * Returns a keyed hash of 32 hexadecimal digits (128 bits). Everybody who may write to the cache of a
 * repository can list its keys and save new ones. So records are signed with a key made from the
 * credentials of the service, and texts that could be guessed (seeds, inputs) are hashed with it.
 * Two purposes never share a hash.
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
      // A JSON list keeps the texts apart.
      .update(JSON.stringify([purpose, ...texts]))
      .digest('hex')
      .slice(0, 32)
}
