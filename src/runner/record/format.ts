/**
 * Writes the record that a step saves for re-runs, and checks the keys that a re-run finds. For a
 * single run, the key of a cache entry is the record, so a re-run downloads nothing. For a batch, the
 * file in a cache entry is the record. Each key ends with an HMAC. A key with another HMAC is refused.
 */
import { createHash } from 'node:crypto'
import { foreignRecord, newerVersion } from '../../messages/record-problems.ts'
import type { CacheFile } from '../storage/cache-client.ts'
import type { Hmac, RecordAddress, RecordForm } from './identity.ts'
import { nameOfOnlyRun, type StepRecord } from './record.ts'

const recordVersion = 'v1'
/** The maximum length of a key in the Actions cache. */
const maxKeyLength = 512

/**
 * Returns the cache entry for a record. The date makes the key unique, because a cache refuses a key
 * that it has: a record may return to an earlier content, and a save may be tried again.
 */
export function writeEntry(
  form: RecordForm,
  record: StepRecord,
  { stepPrefix, fileName }: RecordAddress,
  date: Date,
  hmac: Hmac,
): CacheFile {
  const content = form === 'key' ? new Uint8Array() : writeContent(record)
  const body = form === 'key' ? writeRun(record) : `batch-${hashOf(content)}`
  const text = `${recordVersion}-${date.getTime().toString(36)}-${body}`
  const key = `${stepPrefix}${text}-${hmac('record', stepPrefix, text)}`
  if (key.length > maxKeyLength) throw new Error("the execution's id is too long for a key")
  return { key, name: fileName, content }
}

/** Returns the part of a key that describes a single run. If two parts are equal, the runs are. */
export function writeRun({ isReported, runs }: StepRecord): string {
  const run = runs.get(nameOfOnlyRun)
  if (!run) return ''
  if (run.kind === 'unclear') return `${run.attempt}-unknown`
  const end = run.outcome && isReported ? `reported-${run.outcome}` : 'started'
  // The id is written as hexadecimal, because an id may contain capitals, hyphens and commas.
  return `${run.attempt}-${end}-${Buffer.from(run.executionId).toString('hex')}`
}

function writeContent(record: StepRecord): Uint8Array {
  return Buffer.from(JSON.stringify({ ...record, runs: [...record.runs] }))
}

export function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Returns the part of a key that describes the record, or why the key cannot be read. */
export function readKey(
  { stepPrefix }: RecordAddress,
  key: string,
  hmac: Hmac,
): { kind: 'read'; body: string } | { kind: 'unreadable'; why: string } {
  const text = key.startsWith(stepPrefix) ? key.slice(stepPrefix.length) : ''
  const [, signed = '', version, body, found] =
    /^((v\d+)-[0-9a-z]+-(.+))-([0-9a-f]{32})$/.exec(text) ?? []
  if (body === undefined || version !== recordVersion) {
    return { kind: 'unreadable', why: newerVersion }
  }
  const isOurs = found === hmac('record', stepPrefix, signed)
  return isOurs ? { kind: 'read', body } : { kind: 'unreadable', why: foreignRecord }
}
