/** Writes the files that describe a whole batch. */
import path from 'node:path'
import { readBeginning } from '../../download/file-text.ts'
import type { BatchReport, BatchSeed, RunRecord } from '../../execution/batch/batch.ts'
import { conclusions } from '../../execution/conclusion.ts'
import { junitReport } from '../../messages/batch/junit.ts'
import { resultLine, type ShownRun } from '../../messages/batch/runs.ts'
import type { StepFacts } from '../../messages/execution-record.ts'
import { inlineResult, oneLineJson } from '../../messages/json.ts'
import { describeFileProblem } from '../../errors.ts'
import type { LostFile } from '../../messages/loss.ts'
import type { BatchInputs } from '../../runner/inputs/read-batch.ts'
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

/** The report of a batch, and the runs of the batch in the order of the seeds. */
export interface BatchRuns {
  report: BatchReport
  /** The runs, with all secrets redacted in their texts. */
  runs: readonly ShownRun[]
  shared: StepFacts
}

/**
 * Writes each file of a batch completely or not at all. If the step was cancelled, writes only
 * results.jsonl, and leaves out the results of the runs, because little time is left.
 */
export async function writeBatchFiles(
  batch: BatchRuns,
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
  const results = resultLines(batch, folders, step)
  const resultsFile = await write('results-file', 'results.jsonl', results)
  if (step.cancelled.aborted) {
    return { resultsFile, failedSeedsFile: undefined, junitFile: undefined, lost: [] }
  }
  const seeds = failedSeedLines(batch.report.records, list)
  const failedSeedsFile = await write('failed-seeds-file', 'failed-seeds.jsonl', seeds)
  const junit = junitPieces(batch, target.automation, folders, step)
  const junitFile = await write('junit-file', 'junit.xml', junit)
  return { resultsFile, failedSeedsFile, junitFile, lost }
}

type Pieces = Iterable<string> | AsyncIterable<string>

/** Returns one line for each run. Lines after a cancellation of the step contain no result. */
async function* resultLines(
  { report: { records }, shared }: BatchRuns,
  { folder }: RunFolders,
  { secrets, cancelled }: Step,
): AsyncGenerator<string> {
  let rest = maxResults
  for (const record of records) {
    const isWanted = rest > 0 && !cancelled.aborted
    const result = isWanted ? await readInline(record.resultFile, folder) : undefined
    const size = Buffer.byteLength(result ?? '')
    const fits = size <= rest
    if (fits) rest -= size
    yield resultLine(record, fits ? result : undefined, shared, secrets.show)
  }
}

/** Returns the JSON of a result, or undefined if the file is too large, missing or not JSON. */
async function readInline(file: string | undefined, folder: string): Promise<string | undefined> {
  if (file === undefined) return undefined
  const head = await readBeginning(path.join(folder, file), maxResult).catch(() => undefined)
  return head?.complete && head.text !== undefined ? inlineResult(head.text, file) : undefined
}

/**
 * Returns one line for each seed whose run failed or was not started. Leaves out a seed whose run
 * may not have ended, because a second run would do the same work.
 */
function* failedSeedLines(
  records: readonly RunRecord[],
  seeds: readonly BatchSeed[],
): Generator<string> {
  for (const { index, conclusion } of records) {
    const seed = seeds[index]
    const { category } = conclusions[conclusion]
    if (!seed || (category !== 'failed' && category !== 'notStarted')) continue
    yield `${oneLineJson(seed.text)}\n`
  }
}

/** Returns the pieces of the report in JUnit XML. */
function junitPieces(
  { report: { startedOn, duration }, runs }: BatchRuns,
  automation: string,
  { folder }: RunFolders,
  { secrets, cancelled }: Step,
): AsyncIterable<string> {
  let rest = maxLogsInJUnit
  const logOf = async ({ category, logFile }: ShownRun): Promise<string> => {
    const isWanted = category !== 'succeeded' && rest > 0 && !cancelled.aborted
    if (!isWanted || logFile === undefined) return ''
    const limit = Math.min(maxLogInJUnit, rest)
    const end = await readLogEnd(path.join(folder, logFile), limit, secrets)
    const log = end?.trimEnd() ?? ''
    rest -= Buffer.byteLength(log)
    return log
  }
  return junitReport({ automation, startedOn, duration }, runs, logOf, secrets.show)
}
