/**
 * What a step leaves for a later attempt of its job, and how that is written. Of a step with one run
 * the key of a cache entry says all, so that nothing has to be downloaded; a batch keeps a file
 * behind its key. Each key ends with a signature over all of it: what was signed with other
 * credentials, or by nobody who has them, is not read.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod/mini'
import { outcomes } from '../../execution/conclusion.ts'
import { foreignRecord, newerVersion } from '../../messages/memory.ts'
import { pathSegmentSchema } from '../../service/contract.ts'
import type { Sign } from './identity.ts'

const attempt = z.int().check(z.minimum(1), z.maximum(999_999_999))
/** Kept as it is or not at all: the rule itself would remove spaces. */
const executionId = z
  .string()
  .check(
    z.refine((id) => pathSegmentSchema.safeParse(id).data === id, { error: 'not an execution id' }),
  )
const leftResult = z.optional(z.boolean())

/** What is kept of one run. `attempt`: the one that started its last execution. */
const runSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('start-unknown'), attempt }),
  z.object({ kind: z.literal('started'), attempt, executionId, leftResult }),
  z.object({
    kind: z.literal('ended'),
    attempt,
    executionId,
    conclusion: z.enum(outcomes),
    leftResult,
  }),
])
export type KeptRun = z.output<typeof runSchema>

export interface StepRecord {
  /** The attempt that wrote it; of a single run, the one that started it. */
  attempt: number
  /** Nothing was started that it does not know. */
  isClosed: boolean
  /** Its end was reported: outputs, result and copies were all written. Of a batch: of all its runs. */
  isReported: boolean
  /** By the run's name. */
  runs: ReadonlyMap<string, KeptRun>
}

/** The name of the run of a step that has one. */
export const onlyRun = 'run'

/** The name of a batch's run: its seed's text, hidden, and how often that has occurred before. */
export function nameOfSeed(seed: { key: string; occurrence: number }, sign: Sign): string {
  return `${sign('seed', seed.key)}-${seed.occurrence}`
}

const version = 'v1'
/** The cache refuses longer keys. */
const maxKeyLength = 512

/** Undefined where it would be too long. `body`: small letters, digits and hyphens. */
function writeKey(prefix: string, body: string, sign: Sign): string | undefined {
  const text = `${prefix}${version}-${body}`
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
  if (body === undefined || keyVersion !== version) {
    return { kind: 'unreadable', why: newerVersion }
  }
  const isOurs = signature === sign('record', `${prefix}${version}-${body}`)
  return isOurs ? { kind: 'read', body } : { kind: 'unreadable', why: foreignRecord }
}

/** Returns undefined if the execution's id is too long for a key. */
export function writeRunKey(prefix: string, record: StepRecord, sign: Sign): string | undefined {
  const body = writeRun(record)
  return body === undefined ? undefined : writeKey(prefix, body, sign)
}

/** Returns all that a key says about a single run: two records with equal texts are one. */
export function writeRun({
  isReported,
  runs,
}: Pick<StepRecord, 'isReported' | 'runs'>): string | undefined {
  const run = runs.get(onlyRun)
  if (!run) return undefined
  if (run.kind === 'start-unknown') return `${run.attempt}-unknown`
  const end = run.kind === 'ended' && isReported ? `reported-${run.conclusion}` : 'started'
  const left = run.leftResult === true ? '-left' : ''
  // Hexadecimal: ids may hold capitals, hyphens and commas.
  const id = Buffer.from(run.executionId).toString('hex')
  return `${run.attempt}-${end}${left}-${id}`
}

const runKeyBody = /^(\d{1,9})-(?:unknown|(?:started|reported-([a-z-]+?))(-left)?-([0-9a-f]+))$/

/** Undefined where it is none of ours, or its id breaks the rule for ids. */
export function readRunKey(body: string): StepRecord | undefined {
  const [, attemptText, conclusion, left, hex] = runKeyBody.exec(body) ?? []
  const end = conclusion === undefined ? 'started' : 'ended'
  const { data: run } = runSchema.safeParse({
    kind: hex === undefined ? 'start-unknown' : end,
    attempt: Number(attemptText),
    executionId: Buffer.from(hex ?? '', 'hex').toString(),
    conclusion,
    ...(left !== undefined && { leftResult: true }),
  })
  if (!run) return undefined
  const isReported = run.kind === 'ended'
  return { attempt: run.attempt, isClosed: true, isReported, runs: new Map([[onlyRun, run]]) }
}

export function writeBatchKey(prefix: string, content: Uint8Array, sign: Sign): string | undefined {
  return writeKey(prefix, `batch-${hashOf(content)}`, sign)
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

const contentSchema = z.object({
  attempt,
  isClosed: z.boolean(),
  isReported: z.boolean(),
  runs: z.array(z.tuple([z.string().check(z.regex(/^[0-9a-f]{32}-\d{1,5}$/)), runSchema])),
})

export function writeContent(record: StepRecord): Uint8Array {
  return Buffer.from(JSON.stringify({ ...record, runs: [...record.runs] }))
}

const batchKeyBody = /^batch-([0-9a-f]{64})$/

/**
 * Undefined where it is not what the key with this body was made for. What is, was written by a step
 * with these credentials: the key is signed, and has the file's hash.
 */
export function readContent(body: string, content: Uint8Array): StepRecord | undefined {
  if (batchKeyBody.exec(body)?.[1] !== hashOf(content)) return undefined
  const { data } = contentSchema.safeParse(JSON.parse(Buffer.from(content).toString()))
  return data && { ...data, runs: new Map(data.runs) }
}
