/**
 * Writes and reads the record that a step saves for re-runs. For a single run, the key of a cache
 * entry is the record, so a re-run downloads nothing. For a batch, the file in a cache entry is the
 * record. Each key ends with an HMAC. A key with another HMAC is refused.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod/mini'
import type { RecordedRun } from '../../execution/begin.ts'
import { outcomes } from '../../execution/conclusion.ts'
import { foreignRecord, newerVersion } from '../../messages/record.ts'
import { findSegmentProblem } from '../../service/names.ts'
import type { CacheFile } from '../storage/cache-client.ts'
import type { Hmac, RecordAddress } from './identity.ts'
import { nameOfOnlyRun, type StepRecord } from './record.ts'

const recordVersion = 'v1'
/** The maximum length of a key in the Actions cache. */
const maxKeyLength = 512

/**
 * Returns the cache entry for a record. The date makes the key unique, because a cache refuses a key
 * that it has: a record may return to an earlier content, and a save may be tried again.
 */
export function writeEntry(
  carrier: 'run' | 'batch',
  record: StepRecord,
  { stepPrefix, fileName }: RecordAddress,
  date: Date,
  hmac: Hmac,
): CacheFile {
  const content = carrier === 'run' ? new Uint8Array() : writeContent(record)
  const body = carrier === 'run' ? writeRun(record) : `batch-${hashOf(content)}`
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

function hashOf(content: Uint8Array): string {
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

const attempt = z.int().check(z.minimum(1), z.maximum(999_999_999))
const executionId = z
  .string()
  .check(z.refine((id) => id === id.trim() && findSegmentProblem(id) === undefined))
const time = z.optional(z.int().check(z.minimum(0)))

const runSchema: z.ZodMiniType<RecordedRun> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unclear'), attempt }),
  z.object({
    kind: z.literal('known'),
    attempt,
    executionId,
    outcome: z.optional(z.enum(outcomes)),
    startedAt: time,
    endedAt: time,
  }),
])

const runKeyBody = /^(\d{1,9})-(?:unknown|(?:started|reported-([a-z-]+?))-([0-9a-f]+))$/

/** Returns the record in a key body, or undefined if the body or the execution id is invalid. */
export function readRunKey(body: string): StepRecord | undefined {
  const [, attemptText, outcome, hex] = runKeyBody.exec(body) ?? []
  const isReported = outcome !== undefined
  const { data: run } = runSchema.safeParse({
    kind: hex === undefined ? 'unclear' : 'known',
    attempt: Number(attemptText),
    executionId: Buffer.from(hex ?? '', 'hex').toString(),
    outcome,
  })
  if (!run) return undefined
  return { attempt: run.attempt, isClosed: true, isReported, runs: new Map([[nameOfOnlyRun, run]]) }
}

const contentSchema = z.object({
  attempt,
  isClosed: z.boolean(),
  isReported: z.boolean(),
  runs: z.array(z.tuple([z.string().check(z.regex(/^[0-9a-f]{32}-\d{1,5}$/)), runSchema])),
})

/**
 * Returns the record of a batch, or undefined if the file does not have the hash in the key body.
 * The key has our HMAC, so a step with the same credentials wrote a file with this hash.
 */
export function readContent(body: string, content: Uint8Array): StepRecord | undefined {
  if (body !== `batch-${hashOf(content)}`) return undefined
  const { data } = contentSchema.safeParse(JSON.parse(Buffer.from(content).toString()))
  return data && { ...data, runs: new Map(data.runs) }
}
