/**
 * What a step leaves for a later attempt of its job, and how that is written. Of a step with one run
 * the key of a cache entry says all, so that nothing has to be downloaded; a batch keeps a file
 * behind its key. Each key ends with a signature over all of it: what was signed with other
 * credentials, or by nobody who has them, is not read.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod/mini'
import { outcomes } from '../../execution/conclusion.ts'
import type { RecordedRun } from '../../execution/rerun.ts'
import { pathSegmentSchema } from '../../service/contract.ts'
import type { Sign } from './identity.ts'

/** What is kept of one run. `attempt`: the one that started its last execution. */
export type KeptRun = { attempt: number } & Extract<
  RecordedRun,
  { kind: 'started' | 'ended' | 'start-unknown' }
>

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

export type ReadKey =
  { kind: 'read'; body: string } | { kind: 'other-version' } | { kind: 'forged' }

/** Undefined where it would be too long. `body`: small letters, digits and hyphens. */
function writeKey(prefix: string, body: string, sign: Sign): string | undefined {
  const text = `${prefix}${version}-${body}`
  const key = `${text}-${sign('record', text)}`
  return key.length <= maxKeyLength ? key : undefined
}

export function readKey(prefix: string, key: string, sign: Sign): ReadKey {
  const [, keyVersion, body, signature] =
    /^(v\d+)-(.+)-([0-9a-f]{32})$/.exec(key.startsWith(prefix) ? key.slice(prefix.length) : '') ??
    []
  if (body === undefined || keyVersion !== version) return { kind: 'other-version' }
  const isOurs = signature === sign('record', `${prefix}${version}-${body}`)
  return isOurs ? { kind: 'read', body } : { kind: 'forged' }
}

const attemptSchema = z.int().check(z.minimum(1), z.maximum(999_999_999))
const conclusionSchema = z.enum(outcomes)
/** Kept as it is or not at all: the rule itself would remove spaces. */
const idSchema = z
  .string()
  .check(
    z.refine((id) => pathSegmentSchema.safeParse(id).data === id, { error: 'not an execution id' }),
  )

/** Undefined where the id is too long to be kept in a key. */
export function writeRunKey(
  prefix: string,
  { isReported, runs }: StepRecord,
  sign: Sign,
): string | undefined {
  const run = runs.get(onlyRun)
  if (!run) return undefined
  if (run.kind === 'start-unknown') return writeKey(prefix, `${run.attempt}-unknown`, sign)
  const end = run.kind === 'ended' && isReported ? `reported-${run.conclusion}` : 'started'
  // Hexadecimal: ids may hold capitals, hyphens and commas.
  const id = Buffer.from(run.executionId).toString('hex')
  return writeKey(prefix, `${run.attempt}-${end}-${id}`, sign)
}

const runKeyBody = /^(\d{1,9})-(?:unknown|(?:started|reported-([a-z-]+))-([0-9a-f]+))$/

/** Undefined where it is none of ours, or its id breaks the rule for ids. */
export function readRunKey(body: string): StepRecord | undefined {
  const [found, attemptText, conclusionText, hex] = runKeyBody.exec(body) ?? []
  if (found === undefined) return undefined
  const attempt = Number(attemptText)
  const recordOf = (run: KeptRun, isReported: boolean) => {
    return { attempt, isClosed: true, isReported, runs: new Map([[onlyRun, run]]) }
  }
  if (hex === undefined) return recordOf({ kind: 'start-unknown', attempt }, false)
  const executionId = Buffer.from(hex, 'hex').toString()
  if (!idSchema.safeParse(executionId).success) return undefined
  if (conclusionText === undefined) {
    return recordOf({ kind: 'started', attempt, executionId }, false)
  }
  const conclusion = conclusionSchema.safeParse(conclusionText).data
  if (conclusion === undefined) return undefined
  return recordOf({ kind: 'ended', attempt, executionId, conclusion }, true)
}

/** `number` and `savedAt`: no two keys of a step may be the same. */
export function writeBatchKey(
  prefix: string,
  content: Uint8Array,
  { attempt, savedAt, number }: { attempt: number; savedAt: Date; number: number },
  sign: Sign,
): string {
  const body = `${attempt}-batch-${savedAt.getTime()}-${number}-${hashOf(content)}`
  return writeKey(prefix, body, sign) ?? ''
}

/** Whether this is the file that the key was made for. */
export function belongsTo(body: string, content: Uint8Array): boolean {
  return /^\d{1,9}-batch-\d+-\d+-[0-9a-f]{64}$/.test(body) && body.endsWith(`-${hashOf(content)}`)
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

const nameSchema = z.string().check(z.regex(/^[0-9a-f]{32}-\d{1,5}$/))
const rowSchema = z.union([
  z.tuple([nameSchema, attemptSchema, z.literal('unknown')]),
  z.tuple([nameSchema, attemptSchema, z.literal('started'), idSchema]),
  z.tuple([nameSchema, attemptSchema, conclusionSchema, idSchema, z.nullable(z.boolean())]),
])
const contentSchema = z.object({
  attempt: attemptSchema,
  closed: z.boolean(),
  reported: z.boolean(),
  runs: z.array(rowSchema),
})

export function writeContent({ attempt, isClosed, isReported, runs }: StepRecord): Uint8Array {
  const rows = Array.from(runs, ([name, run]) => rowOf(name, run))
  const content = { attempt, closed: isClosed, reported: isReported, runs: rows }
  return Buffer.from(JSON.stringify(content))
}

function rowOf(name: string, run: KeptRun): z.output<typeof rowSchema> {
  switch (run.kind) {
    case 'start-unknown':
      return [name, run.attempt, 'unknown']
    case 'started':
      return [name, run.attempt, 'started', run.executionId]
    case 'ended':
      return [name, run.attempt, run.conclusion, run.executionId, run.leftResult ?? null]
  }
}

/** Undefined where it is not what {@link writeContent} writes. */
export function readContent(content: Uint8Array): StepRecord | undefined {
  const parsed = contentSchema.safeParse(jsonIn(content))
  if (!parsed.success) return undefined
  const { attempt, closed, reported, runs: rows } = parsed.data
  const runs = new Map(rows.map((row) => [row[0], runIn(row)]))
  return { attempt, isClosed: closed, isReported: reported, runs }
}

function runIn([, attempt, state, executionId = '', leftResult]: z.output<
  typeof rowSchema
>): KeptRun {
  if (state === 'unknown') return { kind: 'start-unknown', attempt }
  if (state === 'started') return { kind: 'started', attempt, executionId }
  const conclusion = state
  return { kind: 'ended', attempt, executionId, conclusion, leftResult: leftResult ?? undefined }
}

function jsonIn(content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content))
  } catch {
    return undefined
  }
}
