/** Reads a record. Loaded only in a re-run, because the checks of its values load zod. */
import { z } from 'zod/mini'
import { outcomes } from '../../execution/conclusion.ts'
import { findSegmentProblem } from '../../service/names.ts'
import { hashOf } from './format.ts'
import { nameOfOnlyRun, type RecordedRun, type StepRecord } from './record.ts'

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
  const runs = new Map([[nameOfOnlyRun, run]])
  return { savedBy: run.attempt, isFinal: true, isReported, runs }
}

const contentSchema = z.object({
  savedBy: attempt,
  isFinal: z.boolean(),
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
