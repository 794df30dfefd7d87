/**
 * What an attempt of a job leaves for the next one. The record is the key of a cache entry, so that
 * reading it downloads nothing. The format is frozen: `@v1` may move between two attempts.
 */
import { z } from 'zod/mini'
import { pathSegmentSchema } from '../../service/contract.ts'
import { outcomes, type Outcome } from '../../execution/conclusion.ts'

export type EarlierExecution =
  /** Started, and its end not told to any workflow yet. */
  | { kind: 'started'; attempt: number; executionId: string }
  /** A step published its end and set its outputs. */
  | { kind: 'told'; attempt: number; executionId: string; conclusion: Outcome }
  /** A start that may or may not have been accepted: there is no id. */
  | { kind: 'unknown'; attempt: number }

/** The cache refuses longer keys. */
const longestKey = 512

/** What all records of one step in one workflow run begin with. */
export function recordPrefix(runId: string, identity: string): string {
  return `run-automation-${runId}-${identity}-`
}

/** Undefined where the id is too long to be kept in a key. */
export function keyOf(prefix: string, record: EarlierExecution): string | undefined {
  const key = `${prefix}${record.attempt}-${rest(record)}`
  return key.length <= longestKey ? key : undefined
}

function rest(record: EarlierExecution): string {
  switch (record.kind) {
    case 'unknown':
      return 'unknown'
    case 'started':
      return encode(record.executionId)
    case 'told':
      return `${encode(record.executionId)}-told-${record.conclusion}`
  }
}

const recordSchema = z
  .string()
  .check(
    z.regex(
      new RegExp(`^\\d{1,9}-(?:unknown|(?:[0-9a-f]{2})+(?:-told-(?:${outcomes.join('|')}))?)$`),
    ),
  )

/** Undefined for a key that is none of ours, or whose id breaks the rule for ids. */
export function parseKey(prefix: string, key: string): EarlierExecution | undefined {
  if (!key.startsWith(prefix)) return undefined
  const parsed = recordSchema.safeParse(key.slice(prefix.length))
  if (!parsed.success) return undefined
  const [attemptText = '', encoded = ''] = parsed.data.split('-')
  const attempt = Number(attemptText)
  if (encoded === 'unknown') return { kind: 'unknown', attempt }
  const id = pathSegmentSchema.safeParse(decode(encoded))
  if (!id.success || encode(id.data) !== encoded) return undefined
  const conclusion = parsed.data.split('-told-')[1] as Outcome | undefined
  return conclusion === undefined
    ? { kind: 'started', attempt, executionId: id.data }
    : { kind: 'told', attempt, executionId: id.data, conclusion }
}

// Hexadecimal: ids may hold hyphens and commas, which separate here and are refused in keys.
function encode(id: string): string {
  return Buffer.from(id).toString('hex')
}

function decode(text: string): string {
  return Buffer.from(text, 'hex').toString()
}
