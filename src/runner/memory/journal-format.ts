/**
 * What a batch leaves for a later attempt of its job: of each seed what was started and what came
 * of it. Unlike a record (record.ts) it is a file, which lies behind its key in the cache. Both
 * formats are frozen: `@v1` may move between two attempts.
 */
import { z } from 'zod/mini'
import type { BatchSeed } from '../../execution/batch/seed-list.ts'
import { outcomes, type Outcome } from '../../execution/conclusion.ts'
import { pathSegmentSchema } from '../../service/contract.ts'

export type JournalRun =
  /** `running`: started, and its end not seen. */
  | { state: 'running' | Outcome; executionId: string }
  /** A start that may or may not have been accepted. */
  | { state: 'unknown' }

export interface Journal {
  /** The attempt that wrote it. */
  attempt: number
  /** Nothing was started that it does not know. */
  closed: boolean
  /** All runs succeeded, and the step passed and told so. */
  complete: boolean
  /** By {@link nameOf}. */
  runs: ReadonlyMap<string, JournalRun>
}

/** A seed in the journal: by its text, and how often it has occurred before. */
export function nameOf({ key, occurrence }: Pick<BatchSeed, 'key' | 'occurrence'>): string {
  return `${key}-${occurrence}`
}

const version = 1
const name = z.string().check(z.regex(/^[0-9a-f]{32}-\d{1,5}$/))
const known = z.enum(['running', ...outcomes])
// Kept as it stands or not at all: the rule itself would take spaces away.
const executionId = z
  .string()
  .check(
    z.refine((id) => pathSegmentSchema.safeParse(id).data === id, { error: 'not an execution id' }),
  )

const row = z.union([
  z.pipe(
    z.tuple([name, known, executionId]),
    z.transform(([name, state, executionId]) => ({ name, run: { state, executionId } })),
  ),
  z.pipe(
    z.tuple([name, z.literal('unknown')]),
    z.transform(([name, state]) => ({ name, run: { state } })),
  ),
])

const schema = z.object({
  version: z.literal(version),
  attempt: z.int().check(z.minimum(1), z.maximum(999_999_999)),
  closed: z.boolean(),
  complete: z.boolean(),
  runs: z.array(row),
})

export function writeJournal({ attempt, closed, complete, runs }: Journal): Uint8Array {
  const rows = Array.from(runs, ([name, run]) =>
    'executionId' in run ? [name, run.state, run.executionId] : [name, run.state],
  )
  return Buffer.from(JSON.stringify({ version, attempt, closed, complete, runs: rows }))
}

/** Undefined where it is none of ours: whoever may write to the cache may have written it. */
export function readJournal(content: Uint8Array): Journal | undefined {
  const parsed = schema.safeParse(jsonIn(content))
  if (!parsed.success) return undefined
  const { attempt, closed, complete } = parsed.data
  const runs = new Map<string, JournalRun>(parsed.data.runs.map(({ name, run }) => [name, run]))
  return runs.size === parsed.data.runs.length ? { attempt, closed, complete, runs } : undefined
}

function jsonIn(content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content))
  } catch {
    return undefined
  }
}

/** Unique: keys can't be used again. `openedAt`: a date, for steps that can't be told apart. */
export function journalKey(
  prefix: string,
  { attempt, openedAt, number }: { attempt: number; openedAt: Date; number: number },
): string {
  return `${prefix}${attempt}-journal-${openedAt.getTime()}-${number}`
}

export function isJournalKey(prefix: string, key: string): boolean {
  return key.startsWith(prefix) && /^\d{1,9}-journal-\d+-\d+$/.test(key.slice(prefix.length))
}
