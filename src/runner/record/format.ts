/**
 * Writes the record that a step saves for re-runs. For a single run, the key of a cache entry is the
 * record, so a re-run downloads nothing. For a batch, the file in a cache entry is the record. Keys
 * are signed with the credentials of the service. A key with another signature is refused.
 */
import { createHash } from 'node:crypto'
import type { Outcome } from '../../execution/conclusion.ts'
import { foreignRecord, newerVersion } from '../../messages/record.ts'
import type { Sign } from './identity.ts'

/** What a record says about one run. `attempt` is the job attempt that started the execution. */
export type RecordedRun =
  /** The record says that the run was started, but not that the run ended. */
  | { kind: 'started'; attempt: number; executionId: string }
  | { kind: 'ended'; attempt: number; executionId: string; conclusion: Outcome }
  /** The service may have accepted the start, but the id of the execution is not known. */
  | { kind: 'start-unknown'; attempt: number }

export interface StepRecord {
  /** The attempt that started the single run, or that wrote the record of the batch. */
  attempt: number
  /** True if the record names all executions that the step has started. */
  isClosed: boolean
  /** True if all outputs and all results were written. In a batch, all runs must have succeeded too. */
  isReported: boolean
  /** Each key is the name of a run. */
  runs: ReadonlyMap<string, RecordedRun>
}

/** The name of the run in a step with a single run. */
export const nameOfOnlyRun = 'run'

/** Returns a run's name: the hash of its seed and the number of equal seeds earlier in the list. */
export function nameOfSeed(seed: { key: string; occurrence: number }, sign: Sign): string {
  return `${sign('seed', seed.key)}-${seed.occurrence}`
}

const recordVersion = 'v1'
/** The maximum length of a key in the Actions cache. */
const maxKeyLength = 512

/** Returns a signed key, or undefined if the key is too long. `body` has only a-z, 0-9 and `-`. */
function writeKey(prefix: string, body: string, sign: Sign): string | undefined {
  const text = `${prefix}${recordVersion}-${body}`
  const key = `${text}-${sign('record', text)}`
  return key.length <= maxKeyLength ? key : undefined
}

export function readKey(
  prefix: string,
  key: string,
  sign: Sign,
): { kind: 'read'; body: string } | { kind: 'unreadable'; why: string } {
  const [, keyVersion, body, signature] =
    /^(v\d+)-(.+)-([0-9a-f]{32})$/.exec(key.startsWith(prefix) ? key.slice(prefix.length) : '') ??
    []
  if (body === undefined || keyVersion !== recordVersion) {
    return { kind: 'unreadable', why: newerVersion }
  }
  const isOurs = signature === sign('record', `${prefix}${recordVersion}-${body}`)
  return isOurs ? { kind: 'read', body } : { kind: 'unreadable', why: foreignRecord }
}

/**
 * Returns the key for a single run, or undefined if there is no run or the key is too long. In all
 * keys, the date makes the key unique, because a cache refuses a key that it has: a record may
 * return to an earlier content, and a save may be tried again.
 */
export function writeRunKey(
  prefix: string,
  record: StepRecord,
  date: Date,
  sign: Sign,
): string | undefined {
  const body = writeRun(record)
  return body && writeKey(prefix, `${stampOf(date)}-${body}`, sign)
}

/** Returns the key part that describes the run. If two parts are equal, the records are equal. */
export function writeRun({
  isReported,
  runs,
}: Pick<StepRecord, 'isReported' | 'runs'>): string | undefined {
  const run = runs.get(nameOfOnlyRun)
  if (!run) return undefined
  if (run.kind === 'start-unknown') return `${run.attempt}-unknown`
  const end = run.kind === 'ended' && isReported ? `reported-${run.conclusion}` : 'started'
  // The id is written as hexadecimal, because an id may contain capitals, hyphens and commas.
  const id = Buffer.from(run.executionId).toString('hex')
  return `${run.attempt}-${end}-${id}`
}

export function writeBatchKey(
  prefix: string,
  content: Uint8Array,
  date: Date,
  sign: Sign,
): string | undefined {
  return writeKey(prefix, `batch-${stampOf(date)}-${hashOf(content)}`, sign)
}

function stampOf(date: Date): string {
  return date.getTime().toString(36)
}

export function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

export function writeContent(record: StepRecord): Uint8Array {
  return Buffer.from(JSON.stringify({ ...record, runs: [...record.runs] }))
}
