/**
 * Which step of which job this is, so that a later attempt finds what an earlier one of the same
 * step left, and never what another step left.
 */
import path from 'node:path'
import { createHash, randomUUID, createHmac, hkdfSync } from 'node:crypto'
import { constants, mkdir } from 'node:fs/promises'
import { describeFileProblem } from '../../messages/file-problem.ts'
import type { Credentials } from '../../service/client.ts'
import { openRegularFile } from '../readable-file.ts'

/** All that identifies a step which starts something. */
export interface IdentityParts {
  /** `GITHUB_JOB`: the job's key in the workflow file. */
  job: string
  /** The leg of a matrix, as JSON; `null` outside of one. */
  matrix: string
  /** `GITHUB_ACTION`: the step's id, or a generated name that repeats in composite actions. */
  step: string
  rerunKey: string
  baseUrl: string
  project: string
  automation: string
  webhook: string
  /** The seed's text as it is sent; two spellings of one value are two seeds. Of a batch: its shard. */
  seed: string
}

/** Where the records of a step are. What keys begin with: each begins with the one before it. */
export interface RecordAddress {
  /** All keys of this place of the workflow, in this workflow run. No secret is in it. */
  place: string
  /** Those that were written with the same credentials. */
  credentials: string
  /** Those of this step. */
  step: string
  /** What both attempts know, and no other step that runs on this machine at the same time. */
  fileName: string
}

/** `occurrence`: how many steps of this job had the same parts before (see {@link countOccurrence}). */
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

/** No larger file is read: a line takes 125 bytes. */
const maxFileSize = 2 ** 20

/**
 * Counts the steps of this job that came to the same identity before, the first being 0. Steps of a
 * job may run at the same time: each appends itself first, and then counts the lines before its own.
 * `folder`: `RUNNER_TEMP`, which is emptied for each job, but not on every self-hosted runner.
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
  // One short write to a file that was opened for appending is never mixed with another's.
  await file.write(`${line}\n`)
  const { size } = await file.stat()
  if (size > maxFileSize) throw new Error('it is larger than 1 MiB')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0)
  const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
  return lines.slice(0, lines.indexOf(line)).filter((other) => other.startsWith(`${identity} `))
    .length
}

/**
 * Who may write to a repository's cache can list its keys and save new ones, but has no credentials
 * of the service. So what a step leaves there is signed with a key made from them, and what could be
 * guessed (a seed, the inputs of a step) stands there as a keyed hash. It has 32 hexadecimal digits
 * (128 bits), and purposes never share one.
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
      // A list, so that the end of one text does not run into the beginning of the next.
      .update(JSON.stringify([purpose, ...texts]))
      .digest('hex')
      .slice(0, 32)
}
