/** What each run of a batch came to: in words, as people may see it, and as data. */
import type { RunRecord } from '../../execution/batch/batch.ts'
import { conclusions, type Category } from '../../execution/conclusion.ts'
import { describeElapsed } from '../quantities.ts'
import type { Show } from '../text/secrets.ts'
import { inline, maxWords } from '../text/untrusted-text.ts'
import { stopWords } from './stop.ts'
import { cut } from '../../cut.ts'

/**
 * A run as people may see it: label, id and cause are free of secrets, inert, one line, and bounded.
 * Of its attempts only the number is shown.
 */
export interface ShownRun extends RunRecord {
  category: Category
}

const maxLabelLength = 80
const maxIdLength = 100

/** `show` is `Secrets.show`: it sees each text before anything of it is cut. */
export function showRun(record: RunRecord, show: Show): ShownRun {
  const shorten = (text: string | undefined, limit: number) =>
    text === undefined ? undefined : inline(show(text), limit) || undefined
  return {
    ...record,
    category: conclusions[record.conclusion].category,
    label: shorten(record.label, maxLabelLength),
    executionId: shorten(record.executionId, maxIdLength),
    cause: shorten(causeOf(record), maxWords),
  }
}

/** Why it did not succeed, what is missing of it, or why it was not started. */
function causeOf({ cause, stopReason }: RunRecord): string | undefined {
  return cause ?? (stopReason && stopWords[stopReason])
}

/** Of a seed: before its run has come to anything. */
export function nameSeed({ index, label }: Pick<RunRecord, 'index' | 'label'>, show: Show): string {
  const shown = label === undefined ? undefined : inline(show(label), maxLabelLength) || undefined
  return nameRun({ index, label: shown })
}

export function durationOf({ startedAt, endedAt }: Pick<ShownRun, 'startedAt' | 'endedAt'>) {
  if (startedAt === undefined || endedAt === undefined) return undefined
  return Math.max(0, endedAt - startedAt)
}

/** `Run 12 (Berlin)`. */
export function nameRun({ index, label }: Pick<ShownRun, 'index' | 'label'>): string {
  return label === undefined ? `Run ${index + 1}` : `Run ${index + 1} (${label})`
}

/** One line: which run, how it ended, after how long, why, and under which id it is found. */
export function describeRun(run: ShownRun): string {
  const duration = durationOf(run)
  const span = duration === undefined ? '' : ` after ${describeElapsed(duration)}`
  return `${describeOutcome(run, span)}${whichExecution(run)}`
}

/** `Run 12 (Berlin) failed: ValueError: no rows`; `span`: what stands after the verb. */
export function describeOutcome(run: ShownRun, span = ''): string {
  const { category, cause, conclusion } = run
  // Of a run that succeeded: what is missing of it.
  const why = cause === undefined ? '' : `${category === 'succeeded' ? ', but ' : ': '}${cause}`
  return `${nameRun(run)} ${conclusions[conclusion].verb}${span}${why}`
}

function whichExecution({ executionId, attempts, resumed }: ShownRun): string {
  const facts = [
    ...(executionId === undefined ? [] : [`execution ${executionId}`]),
    ...(attempts.length > 1 ? [`the last of ${attempts.length}`] : []),
    ...(resumed ? ['taken over'] : []),
  ]
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`
}

// Bytes. A job may carry 1 MB of outputs.
const maxOutput = 256 * 1024
const maxCauseLength = 1_000

/**
 * The label is data of the workflow's own and goes on verbatim; the cause is a text for people.
 * Files are named relative to the batch's folder, with `/`: so they are right in the artifact too.
 */
function resultOf(record: RunRecord, show: Show) {
  const { index, label, executionId, conclusion, attempts, resultFile, logFile } = record
  const cause = causeOf(record)
  const duration = durationOf(record)
  return {
    index,
    label: label ?? null,
    execution_id: executionId ?? null,
    conclusion,
    attempts: attempts.length,
    duration_seconds: duration === undefined ? null : Math.round(duration / 1000),
    cause: cause === undefined ? null : cut(show(cause), maxCauseLength),
    result_file: resultFile ?? null,
    log_file: logFile ?? null,
  }
}

/** The output `results`: a JSON array in the order of the seeds; empty where it is over 256 KiB. */
export function resultsOutput(records: readonly RunRecord[], show: Show): string {
  const results = JSON.stringify(records.map((record) => resultOf(record, show)))
  return Buffer.byteLength(results) > maxOutput ? '' : results
}

/** The line of the log where that output is empty. */
export const resultsTooLarge =
  'The output results is over 256 KiB, and so is empty: use results-file.'

/** A line of `results.jsonl`. `result`: what {@link inlineResult} made of the run's. */
export function resultLine(record: RunRecord, result: string | undefined, show: Show): string {
  const own = JSON.stringify(resultOf(record, show)).slice(1, -1)
  const parts = [own, record.members, result === undefined ? undefined : `"result":${result}`]
  return `{${parts.filter((part) => part !== undefined).join()}}\n`
}

/**
 * A result that is JSON, on one line but as it was written: reading it would alter its numbers.
 * `name`: of its file. Undefined where it is no JSON, or nested too deep to be read.
 */
export function inlineResult(text: string, name: string): string | undefined {
  // A text such as `2026` is JSON by chance, unless its name says so.
  if (!/\.json$/i.test(name) && !/^\uFEFF?\s*[[{]/.test(text)) return undefined
  try {
    // Before the lines are joined: a line break inside a string or a number is no JSON.
    JSON.parse(text.replace(/^\uFEFF/, ''))
    return oneLineJson(text)
  } catch {
    return undefined
  }
}

/**
 * A valid JSON text on one line, its numbers and strings as they were written. A line break and the
 * indentation after it stand between tokens: a string has none but as an escape. A byte order mark
 * is no part of the JSON.
 */
export function oneLineJson(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/[\r\n][ \t\r\n]*/g, '')
    .trim()
}
