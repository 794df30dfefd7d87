/** The files about all runs of a batch: beside the runs' folders, and in the workspace. */
import path from 'node:path'
import { readBeginning } from '../../download/file-text.ts'
import type { BatchReport, RunRecord, SeedList } from '../../execution/batch/batch.ts'
import { conclusions } from '../../execution/conclusion.ts'
import { junitReport } from '../../messages/batch/junit.ts'
import { inlineResult, oneLineJson, resultLine, type ShownRun } from '../../messages/batch/runs.ts'
import { describeFileProblem, type LostFile } from '../../messages/file-problem.ts'
import type { BatchInputs } from '../../runner/inputs/read-batch.ts'
import type { Step } from '../../runner/step.ts'
import { writeWhole } from '../../runner/whole-file.ts'
import { copyIntoWorkspace } from '../../runner/workspace.ts'
import { copyFile } from '../report-files.ts'
import { readLogEnd } from '../file-ends.ts'
import type { RunFolders } from './run-folders.ts'

// Bytes: of one result, and of all, in results.jsonl.
const maxResult = 1024 * 1024
const maxResults = 64 * 1024 * 1024
// Bytes: of one log, and of all, in junit.xml.
const maxLog = 8 * 1024
const maxLogs = 10 * 1024 * 1024

export interface BatchFiles {
  /** Absolute paths; undefined where the file could not be written. */
  resultsFile: string | undefined
  failedSeedsFile: string | undefined
  lost: readonly LostFile[]
}

/** The runs of a batch in the order of the seeds. */
export interface BatchRuns {
  report: BatchReport
  /** What people may see of each. */
  runs: readonly ShownRun[]
}

/** Each is written whole or not at all. */
export async function writeBatchFiles(
  batch: BatchRuns,
  { target, list, publishing }: Pick<BatchInputs, 'target' | 'list' | 'publishing'>,
  folders: RunFolders,
  step: Step,
): Promise<BatchFiles> {
  const { junitFile, resultsFolder } = publishing
  const lost: LostFile[] = []
  const attempt = async <Written>(input: string, work: () => Promise<Written>) => {
    // After a cancellation there is time for the ids alone.
    if (step.cancelled.aborted && input !== 'results-file') return undefined
    try {
      return await work()
    } catch (error) {
      if (step.cancelled.aborted) return undefined
      const why = describeFileProblem(error)
      if (input === inArtifact) step.log.info(`There is no junit.xml in the artifact: ${why}`)
      else lost.push({ input, why })
      return undefined
    }
  }
  const placeOf = (name: string) => path.join(folders.folder, name)
  const resultsFile = await attempt('results-file', () =>
    writeResults(placeOf('results.jsonl'), batch, folders, step),
  )
  const failedSeedsFile = await attempt('failed-seeds-file', () =>
    writeFailedSeeds(placeOf('failed-seeds.jsonl'), batch.report.records, list.seeds),
  )
  const report = await attempt(junitFile === undefined ? inArtifact : 'junit-file', () =>
    writeJUnit(placeOf('junit.xml'), batch, target.automation, folders, step),
  )
  if (report !== undefined && junitFile !== undefined) {
    await attempt('junit-file', () => copyFile(report, junitFile, 'junit-file', step))
  }
  if (resultsFolder !== undefined) {
    await attempt('results-folder', () => copyAll(resultsFolder, batch.report, folders, step))
  }
  return { resultsFile, failedSeedsFile, lost }
}

/** The report is an extra there, where no copy was asked for. */
const inArtifact = 'junit.xml'

/** With all ids; after a cancellation no more results are read. */
async function writeResults(
  file: string,
  { report: { records } }: BatchRuns,
  { folder }: RunFolders,
  { secrets, cancelled }: Step,
): Promise<string> {
  const lines = async function* () {
    let rest = maxResults
    for (const record of records) {
      const isWanted = rest > 0 && !cancelled.aborted
      const result = isWanted ? await readInline(record.resultFile, folder) : undefined
      const size = Buffer.byteLength(result ?? '')
      const fits = size <= rest
      if (fits) rest -= size
      yield resultLine(record, fits ? result : undefined, secrets.show)
    }
  }
  await writeWhole(file, lines())
  return file
}

/** Undefined where it is no JSON, too large, or gone. */
async function readInline(file: string | undefined, folder: string): Promise<string | undefined> {
  if (file === undefined) return undefined
  const head = await readBeginning(path.join(folder, file), maxResult).catch(() => undefined)
  return head?.complete && head.text !== undefined ? inlineResult(head.text, file) : undefined
}

/**
 * One line a seed whose run failed or was not started, in order. Runs whose outcome is unknown, or
 * that are not over, may still do their work: started again, they would do it twice.
 */
async function writeFailedSeeds(
  file: string,
  records: readonly RunRecord[],
  list: SeedList,
): Promise<string> {
  const seeds = new Map(list.seeds.map((seed) => [seed.index, seed]))
  const lines = function* () {
    for (const { index, conclusion, isUnchecked } of records) {
      // The run may be a success: a re-run checks its result again.
      if (isUnchecked) continue
      const seed = seeds.get(index)
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
  let rest = maxLogs
  const logOf = async ({ category, logFile }: ShownRun): Promise<string> => {
    const isWanted = category !== 'succeeded' && rest > 0 && !cancelled.aborted
    if (!isWanted || logFile === undefined) return ''
    const limit = Math.min(maxLog, rest)
    const log = (await readLogEnd(path.join(folder, logFile), limit, secrets)).trimEnd()
    rest -= Buffer.byteLength(log)
    return log
  }
  const facts = { automation, startedOn, duration }
  await writeWhole(file, junitReport(facts, runs, logOf, show))
  return file
}

/**
 * Only a success replaces what the folder holds of a result: it may be the last good one.
 * @throws Error that names the file which could not be copied.
 */
async function copyAll(
  target: string,
  { records }: BatchReport,
  folders: RunFolders,
  step: Step,
): Promise<void> {
  const unwanted = new Set(
    records.flatMap(({ conclusion, resultFile }) => (conclusion === 'success' ? [] : [resultFile])),
  )
  for (const file of await folders.files()) {
    if (unwanted.has(file.split(path.sep).join('/'))) continue
    step.cancelled.throwIfAborted()
    try {
      await copyIntoWorkspace(path.join(folders.folder, file), path.join(target, file), step)
    } catch (error) {
      throw new Error(`${path.join(target, file)}: ${describeFileProblem(error)}`, { cause: error })
    }
  }
  step.log.info(`Copied to ${target} (results-folder)`)
}
