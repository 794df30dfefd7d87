/** Reads the record of an earlier attempt. The first attempt of a job does not load this module. */
import { z } from 'zod/mini'
import { outcomes } from '../../execution/conclusion.ts'
import { findSegmentProblem } from '../../service/names.ts'
import { hashOf, nameOfOnlyRun, type RecordedRun, type StepRecord } from './format.ts'

const attempt = z.int().check(z.minimum(1), z.maximum(999_999_999))
const executionId = z
  .string()
  .check(z.refine((id) => id === id.trim() && findSegmentProblem(id) === undefined))

const runSchema: z.ZodMiniType<RecordedRun> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('start-unknown'), attempt }),
  z.object({ kind: z.literal('started'), attempt, executionId }),
  z.object({
    kind: z.literal('ended'),
    attempt,
    executionId,
    conclusion: z.enum(outcomes),
  }),
])

const runKeyBody = /^[0-9a-z]+-(\d{1,9})-(?:unknown|(?:started|reported-([a-z-]+?))-([0-9a-f]+))$/

/** Returns the record in a key body, or undefined if the body or the execution id is invalid. */
export function readRunKey(body: string): StepRecord | undefined {
  const [, attemptText, conclusion, hex] = runKeyBody.exec(body) ?? []
  const end = conclusion === undefined ? 'started' : 'ended'
  const { data: run } = runSchema.safeParse({
    kind: hex === undefined ? 'start-unknown' : end,
    attempt: Number(attemptText),
    executionId: Buffer.from(hex ?? '', 'hex').toString(),
    conclusion,
  })
  if (!run) return undefined
  const isReported = run.kind === 'ended'
  return { attempt: run.attempt, isClosed: true, isReported, runs: new Map([[nameOfOnlyRun, run]]) }
}

const contentSchema = z.object({
  attempt,
  isClosed: z.boolean(),
  isReported: z.boolean(),
  runs: z.array(z.tuple([z.string().check(z.regex(/^[0-9a-f]{32}-\d{1,5}$/)), runSchema])),
})

const batchKeyBody = /^batch-[0-9a-z]+-([0-9a-f]{64})$/

/**
 * Returns the record of a batch, or undefined if the file does not have the hash in the key body.
 * The key is signed, so a file with this hash was written by a step with the same credentials.
 */
export function readContent(body: string, content: Uint8Array): StepRecord | undefined {
  if (batchKeyBody.exec(body)?.[1] !== hashOf(content)) return undefined
  const { data } = contentSchema.safeParse(JSON.parse(Buffer.from(content).toString()))
  return data && { ...data, runs: new Map(data.runs) }
}
