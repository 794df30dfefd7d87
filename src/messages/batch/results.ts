/** What each run came to, as data: the output `results` and the file `results.jsonl`. */
import path from 'node:path'
import { cut } from '../../cut.ts'
import { readHead, textOf } from '../../download/file-text.ts'
import type { RunRecord } from '../../execution/batch/record.ts'
import type { Show } from '../text/secrets.ts'
import { isJson, oneLineJson } from './one-line-json.ts'
import { durationOf } from './shown-run.ts'

// Bytes. A job may carry 1 MB of outputs.
const longestOutput = 256 * 1024
const longestResult = 1024 * 1024
const longestResults = 64 * 1024 * 1024
const longestCause = 1_000

/**
 * The label is data of the workflow's own and goes on verbatim; the cause is a text for people. Files
 * are told relative to the batch's folder, with `/`: so they are right in the artifact too.
 */
function resultOf(record: RunRecord, show: Show) {
  const { index, label, executionId, conclusion, attempts, cause, resultFile, logFile } = record
  const duration = durationOf(record)
  return {
    index,
    label: label ?? null,
    execution_id: executionId ?? null,
    conclusion,
    attempts: attempts.length,
    duration_seconds: duration === undefined ? null : Math.round(duration / 1000),
    cause: cause === undefined ? null : cut(show(cause), longestCause),
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
    if (size > longestOutput) return ''
    parts.push(part)
  }
  return `[${parts.join(',')}]`
}

/** The line of the log where that output is empty. */
export const resultsTooLarge =
  'The output results is over 256 KiB, and so is empty: use results-file.'

/**
 * The lines of `results.jsonl`. A result that is JSON stands in its line as it was written, without
 * its line breaks: reading it would alter numbers. `limit`: bytes of all results; 0 where there is
 * no time to read any.
 */
export async function* resultLines(
  records: readonly RunRecord[],
  folder: string,
  show: Show,
  limit = longestResults,
): AsyncGenerator<string> {
  let rest = limit
  for (const record of records) {
    const own = JSON.stringify(resultOf(record, show))
    const result = rest > 0 ? await readResult(record.resultFile, folder) : undefined
    const size = result === undefined ? 0 : Buffer.byteLength(result)
    const fits = result !== undefined && size <= rest
    if (fits) rest -= size
    yield fits ? `${own.slice(0, -1)},"result":${result}}\n` : `${own}\n`
  }
}

/** On one line; undefined where it is no JSON, too large, or gone. */
async function readResult(file: string | undefined, folder: string): Promise<string | undefined> {
  if (file === undefined) return undefined
  const head = await readHead(path.join(folder, file), longestResult).catch(() => undefined)
  const text = head?.complete ? textOf(head) : undefined
  if (text === undefined || !looksLikeJson(text, file)) return undefined
  const line = oneLineJson(text)
  return isJson(line) ? line : undefined
}

/** A text such as `2026` is JSON by chance, unless its name says so. */
function looksLikeJson(text: string, file: string): boolean {
  return /\.json$/i.test(file) || /^\uFEFF?\s*[[{]/.test(text)
}
