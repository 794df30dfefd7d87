/** What each run came to, as data: the output `results`, the lines of `results.jsonl` and of the failed seeds. */
import { cut } from '../../cut.ts'
import type { RunRecord } from '../../execution/batch/record.ts'
import type { Show } from '../text/secrets.ts'
import { causeOf, durationOf } from './shown-run.ts'

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
  const parts: string[] = []
  let size = '[]'.length
  for (const record of records) {
    const part = JSON.stringify(resultOf(record, show))
    size += Buffer.byteLength(part) + (parts.length > 0 ? ','.length : 0)
    if (size > maxOutput) return ''
    parts.push(part)
  }
  return `[${parts.join(',')}]`
}

/** The line of the log where that output is empty. */
export const resultsTooLarge =
  'The output results is over 256 KiB, and so is empty: use results-file.'

/**
 * A line of `results.jsonl`. `members`: what else is known of the run's executions, as members of
 * a JSON object; `result`: what {@link inlineResult} made of the run's.
 */
export function resultLine(
  record: RunRecord,
  { members, result }: { members: string | undefined; result: string | undefined },
  show: Show,
): string {
  const own = JSON.stringify(resultOf(record, show)).slice(1, -1)
  const parts = [own, members, result === undefined ? undefined : `"result":${result}`]
  return `{${parts.filter((part) => part !== undefined).join()}}\n`
}

/**
 * A result that is JSON, on one line but as it was written: reading it would alter its numbers.
 * `name`: of its file. Undefined where it is no JSON, or nested too deep to be read.
 */
export function inlineResult(text: string, name: string): string | undefined {
  // A text such as `2026` is JSON by chance, unless its name says so.
  if (!/\.json$/i.test(name) && !/^\uFEFF?\s*[[{]/.test(text)) return undefined
  const line = oneLineJson(text)
  try {
    JSON.parse(line)
    return line
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
