/**
 * Which step of which job this is, so that a later attempt finds what an earlier one of the same
 * step left, and never what another step left.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** All that tells one step that starts something from another. */
export interface IdentityParts {
  /** `GITHUB_JOB`: the job's key in the workflow file. */
  job: string
  /** The leg of a matrix, as JSON; `null` outside of one. */
  matrix: string
  /** `GITHUB_ACTION`: the step's id, or a generated name that repeats in composite actions. */
  step: string
  baseUrl: string
  project: string
  automation: string
  webhook: string
  /** The seed's text as it is sent; two spellings of one value are two seeds. */
  seed: string
  rerunKey: string
}

/** How many hexadecimal digits of the hash a key holds: 128 bits. */
const digits = 32

/** `occurrence`: how many steps of this job had the same parts before (see {@link countOccurrence}). */
export function identityOf(parts: IdentityParts, occurrence: number): string {
  const { job, matrix, step, baseUrl, project, automation, webhook, seed, rerunKey } = parts
  // A list, not an object: the order is a part of the frozen format.
  const list = [job, matrix, step, baseUrl, project, automation, webhook, seed, rerunKey]
  return createHash('sha256')
    .update(JSON.stringify([...list, occurrence]))
    .digest('hex')
    .slice(0, digits)
}

export interface OccurrencePlace {
  /** `RUNNER_TEMP`: emptied for each job, but not on every self-hosted runner. */
  folder: string
  runId: string
  attempt: string
}

/**
 * Counts the steps of this job that came to the same identity, the first being 0. Steps of a job
 * run one after the other, so a file of the job is enough.
 */
export async function countOccurrence(
  identity: string,
  { folder, runId, attempt }: OccurrencePlace,
): Promise<number> {
  await mkdir(folder, { recursive: true })
  const file = path.join(folder, `run-automation-steps-${runId}-${attempt}.txt`)
  const seen = await readFile(file, 'utf8').catch(() => '')
  const occurrence = seen.split('\n').filter((line) => line === identity).length
  await writeFile(file, `${identity}\n`, { flag: 'a' })
  return occurrence
}
