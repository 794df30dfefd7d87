/** Writes the files that describe a whole batch, and copies files into the workspace. */
import path from 'node:path'
import { readBeginning } from '../../download/file-text.ts'
import type { BatchReport, BatchSeed, RunRecord } from '../../execution/batch/batch.ts'
import { conclusions } from '../../execution/conclusion.ts'
import { junitReport } from '../../messages/batch/junit.ts'
import { resultLine, type ShownRun } from '../../messages/batch/runs.ts'
import { inlineResult, oneLineJson } from '../../messages/json.ts'
import { describeFileProblem } from '../../errors.ts'
import type { LostFile } from '../../messages/loss.ts'
import type { BatchInputs } from '../../runner/inputs/read-batch.ts'
import type { Step } from '../../runner/step.ts'
import { writeWhole } from '../../runner/files.ts'
import { copyIntoWorkspace } from '../../runner/workspace.ts'
import { readLogEnd } from '../file-ends.ts'
import type { RunFolders } from './run-folders.ts'

// The maximum sizes of one result and of all results in results.jsonl, in bytes.
export const maxResult = 1024 * 1024
export const maxResults = 64 * 1024 * 1024
// The maximum sizes of one log and of all logs in junit.xml, in bytes.
const maxLogInJUnit = 8 * 1024
const maxLogsInJUnit = 10 * 1024 * 1024

export interface BatchFiles {
  /** The absolute path of results.jsonl. Undefined if this file could not be written. */
  resultsFile: string | undefined
  failedSeedsFile: string | undefined
  lost: readonly LostFile[]
}

/** The report of a batch, and the runs of the batch in the order of the seeds. */
export interface BatchRuns {
  report: BatchReport
  /** The runs, with all secrets redacted in their texts. */
  runs: readonly ShownRun[]
}

/**
 * Writes each file of a batch completely or not at all. If the step was cancelled, writes only
 * results.jsonl, and leaves out the results of the runs, because little time is left.
 */
export async function writeBatchFiles(
  batch: BatchRuns,
  { target, list, publishing }: Pick<BatchInputs, 'target' | 'list' | 'publishing'>,
  folders: RunFolders,
  step: Step,
): Promise<BatchFiles> {
  const { junitFile, resultsFolder } = publishing
  const placeOf = (name: string) => path.join(folders.folder, name)
  const results = await fileOrWhy(() =>
    writeResults(placeOf('results.jsonl'), batch, folders, step),
  )
  const lost = 'why' in results ? [{ input: 'results-file', why: results.why }] : []
  const resultsFile = 'file' in results ? results.file : undefined
  if (step.cancelled.aborted) return { resultsFile, failedSeedsFile: undefined, lost: [] }
  const failedSeeds = await fileOrWhy(() =>
    writeFailedSeeds(placeOf('failed-seeds.jsonl'), batch.report.records, list),
  )
  const junit = await fileOrWhy(() =>
    writeJUnit(placeOf('junit.xml'), batch, target.automation, folders, step),
  )
  if ('why' in failedSeeds) lost.push({ input: 'failed-seeds-file', why: failedSeeds.why })
  if (junitFile !== undefined) {
    const copied = 'why' in junit ? junit : await copyOrWhy(junit.file, junitFile, step)
    if ('why' in copied) lost.push({ input: 'junit-file', why: copied.why })
    else step.log.info(`Copied to ${junitFile} (junit-file)`)
  } else if ('why' in junit) {
    // The input junit-file is not set, so a missing JUnit report is only logged.
    step.log.info(`There is no junit.xml in the artifact: ${junit.why}`)
  }
  if (resultsFolder !== undefined) {
    const problems = await copyAll(resultsFolder, batch.report, folders, step).catch(
      (error: unknown) => [describeFileProblem(error)],
    )
    if (problems.length > 0) lost.push({ input: 'results-folder', why: describeProblems(problems) })
  }
  const failedSeedsFile = 'file' in failedSeeds ? failedSeeds.file : undefined
  return { resultsFile, failedSeedsFile, lost }
}

/** The path of a written file, or the reason why the file could not be written. */
type Written = { file: string } | { why: string }

async function fileOrWhy(write: () => Promise<string>): Promise<Written> {
  try {
    return { file: await write() }
  } catch (error) {
    return { why: describeFileProblem(error) }
  }
}

async function copyOrWhy(source: string, target: string, step: Step): Promise<Written> {
  const copied = await fileOrWhy(async () => {
    await copyIntoWorkspace(source, target, step)
    return target
  })
  return 'why' in copied ? { why: `${target}: ${copied.why}` } : copied
}

/** Writes one line for each run. Lines after a cancellation of the step contain no result. */
async function writeResults(
  file: string,
  { report: { records }, runs }: BatchRuns,
  { folder }: RunFolders,
  { secrets, cancelled }: Step,
): Promise<string> {
  const lines = async function* () {
    let rest = maxResults
    for (const [at, record] of records.entries()) {
      const isWanted = rest > 0 && !cancelled.aborted
      const result = isWanted ? await readInline(record.resultFile, folder) : undefined
      const size = Buffer.byteLength(result ?? '')
      const fits = size <= rest
      if (fits) rest -= size
      const executionUrl = runs[at]?.executionUrl
      yield resultLine(record, { result: fits ? result : undefined, executionUrl }, secrets.show)
    }
  }
  await writeWhole(file, lines())
  return file
}

/** Returns the JSON of a result, or undefined if the file is too large, missing or not JSON. */
async function readInline(file: string | undefined, folder: string): Promise<string | undefined> {
  if (file === undefined) return undefined
  const head = await readBeginning(path.join(folder, file), maxResult).catch(() => undefined)
  return head?.complete && head.text !== undefined ? inlineResult(head.text, file) : undefined
}

/**
 * Writes one line for each seed whose run failed or was not started. Leaves out a seed whose run
 * may not have ended, because a second run would do the same work.
 */
async function writeFailedSeeds(
  file: string,
  records: readonly RunRecord[],
  seeds: readonly BatchSeed[],
): Promise<string> {
  const lines = function* () {
    for (const { index, conclusion, isUnchecked } of records) {
      // The result could not be checked, so the run may have succeeded.
      if (isUnchecked) continue
      const seed = seeds[index]
      const { category } = conclusions[conclusion]
      if (!seed || (category !== 'failed' && category !== 'notStarted')) continue
      yield `${oneLineJson(seed.text)}\n`
    }
  }
  await writeWhole(file, lines())
  return file
}

async function writeJUnit(
  file: string,
  { report: { startedOn, duration }, runs }: BatchRuns,
  automation: string,
  { folder }: RunFolders,
  { secrets, cancelled }: Step,
): Promise<string> {
  const show = secrets.show
  let rest = maxLogsInJUnit
  const logOf = async ({ category, logFile }: ShownRun): Promise<string> => {
    const isWanted = category !== 'succeeded' && rest > 0 && !cancelled.aborted
    if (!isWanted || logFile === undefined) return ''
    const limit = Math.min(maxLogInJUnit, rest)
    const log = (await readLogEnd(path.join(folder, logFile), limit, secrets)).trimEnd()
    rest -= Buffer.byteLength(log)
    return log
  }
  const facts = { automation, startedOn, duration }
  await writeWhole(file, junitReport(facts, runs, logOf, show))
  return file
}

/**
 * Copies the files of the batch, but no results of failed runs. Such a result could overwrite an
 * earlier good result. Returns one reason for each file that could not be copied.
 */
async function copyAll(
  target: string,
  { records }: BatchReport,
  folders: RunFolders,
  step: Step,
): Promise<string[]> {
  const unwanted = new Set(
    records.flatMap(({ conclusion, resultFile }) => (conclusion === 'success' ? [] : [resultFile])),
  )
  const problems: string[] = []
  for (const file of await folders.files()) {
    if (unwanted.has(file.split(path.sep).join('/'))) continue
    if (step.cancelled.aborted) return problems
    const source = path.join(folders.folder, file)
    const copied = await copyOrWhy(source, path.join(target, file), step)
    if ('why' in copied) problems.push(copied.why)
  }
  for (const problem of problems) step.log.info(`Not copied (results-folder): ${problem}`)
  if (problems.length === 0) step.log.info(`Copied to ${target} (results-folder)`)
  return problems
}

/** The maximum number of problems that a message names. The log contains all problems. */
const maxProblems = 5

function describeProblems(problems: readonly string[]): string {
  const more = problems.length - maxProblems
  const rest = more > 0 ? [`${more} more, see the log`] : []
  return [...problems.slice(0, maxProblems), ...rest].join('; ')
}
