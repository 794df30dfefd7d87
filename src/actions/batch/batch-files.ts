/** Writes the files that describe a whole batch. */
import path from 'node:path'
import { readBeginning } from '../../download/file-text.ts'
import type { BatchReport, BatchRow, BatchSeed } from '../../execution/batch/batch-types.ts'
import { junitReport } from '../../messages/batch/junit.ts'
import { categoryOf, resultLine } from '../../messages/batch/runs.ts'
import { inlineResult, oneLineJson } from '../../messages/json.ts'
import { describeFileProblem } from '../../errors.ts'
import type { LostFile } from '../../messages/loss.ts'
import type { BatchInputs } from '../../runner/inputs/action-inputs.ts'
import type { Step } from '../../runner/step.ts'
import { writeWhole } from '../../runner/files.ts'
import { readLogEnd } from '../file-ends.ts'
import type { RunFolders } from './run-folders.ts'

// The maximum sizes of one result and of all results in results.jsonl, in bytes.
export const maxResult = 1024 * 1024
export const maxResults = 64 * 1024 * 1024
// The maximum sizes of one log and of all logs in junit.xml, in bytes.
const maxLogInJUnit = 8 * 1024
const maxLogsInJUnit = 10 * 1024 * 1024

/** The absolute paths of the files. A path is undefined if the file was not written. */
export interface BatchFiles {
  resultsFile: string | undefined
  failedSeedsFile: string | undefined
  junitFile: string | undefined
  lost: readonly LostFile[]
}

/**
 * Writes each file of a batch completely or not at all. If the step was cancelled, writes only
 * results.jsonl, and leaves out the results of the runs, because little time is left.
 */
export async function writeBatchFiles(
  report: BatchReport,
  { target, list }: Pick<BatchInputs, 'target' | 'list'>,
  folders: RunFolders,
  step: Step,
): Promise<BatchFiles> {
  const lost: LostFile[] = []
  const write = async (output: string, name: string, pieces: Pieces) => {
    const file = path.join(folders.folder, name)
    try {
      await writeWhole(file, pieces)
      return file
    } catch (error) {
      lost.push({ output, why: describeFileProblem(error) })
      return undefined
    }
  }
  const results = resultLines(report, folders, step)
  const resultsFile = await write('results-file', 'results.jsonl', results)
  if (step.cancelled.aborted) {
    return { resultsFile, failedSeedsFile: undefined, junitFile: undefined, lost: [] }
  }
  const seeds = failedSeedLines(report, list)
  const failedSeedsFile = await write('failed-seeds-file', 'failed-seeds.jsonl', seeds)
  const junit = junitPieces(report, target.automation, folders, step)
  const junitFile = await write('junit-file', 'junit.xml', junit)
  return { resultsFile, failedSeedsFile, junitFile, lost }
}

type Pieces = Iterable<string> | AsyncIterable<string>

/** Returns one line for each run. Lines after a cancellation of the step contain no result. */
async function* resultLines(
  { rows }: BatchReport,
  { folder }: RunFolders,
  { secrets, cancelled }: Step,
): AsyncGenerator<string> {
  let rest = maxResults
  for (const row of rows) {
    const isWanted = rest > 0 && !cancelled.aborted
    const result = isWanted ? await readInline(row.facts.result_file, folder) : undefined
    const size = Buffer.byteLength(result ?? '')
    const fits = size <= rest
    if (fits) rest -= size
    yield resultLine(row, fits ? result : undefined, secrets.show)
  }
}

/** Returns the JSON of a result, or undefined if the file is too large, missing or not JSON. */
async function readInline(file: string | null, folder: string): Promise<string | undefined> {
  if (file === null) return undefined
  const head = await readBeginning(path.join(folder, file), maxResult).catch(() => undefined)
  return head?.complete && head.text !== undefined ? inlineResult(head.text, file) : undefined
}

/**
 * Returns one line for each seed whose run failed or was not started. Leaves out a seed whose run
 * may not have ended, because a second run would do the same work.
 */
function* failedSeedLines({ rows }: BatchReport, seeds: readonly BatchSeed[]): Generator<string> {
  for (const row of rows) {
    const seed = seeds[row.number - 1]
    const category = categoryOf(row)
    if (!seed || (category !== 'failed' && category !== 'notStarted')) continue
    yield `${oneLineJson(seed.text)}\n`
  }
}

/** Returns the pieces of the report in JUnit XML. */
function junitPieces(
  report: BatchReport,
  automation: string,
  { folder }: RunFolders,
  { secrets, cancelled }: Step,
): AsyncIterable<string> {
  let rest = maxLogsInJUnit
  const logOf = async (row: BatchRow): Promise<string> => {
    const { log_file } = row.facts
    const isWanted = categoryOf(row) !== 'succeeded' && rest > 0 && !cancelled.aborted
    if (!isWanted || log_file === null) return ''
    const limit = Math.min(maxLogInJUnit, rest)
    const end = await readLogEnd(path.join(folder, log_file), limit, secrets)
    const log = end?.trimEnd() ?? ''
    rest -= Buffer.byteLength(log)
    return log
  }
  return junitReport(automation, report, logOf, secrets.show)
}
