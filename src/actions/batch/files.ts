/** The files that tell of all runs of a batch: beside the runs' folders, and in the workspace. */
import path from 'node:path'
import type { BatchReport } from '../../execution/batch/batch.ts'
import type { SeedList } from '../../execution/batch/seed-list.ts'
import { failedSeedLines } from '../../messages/batch/failed-seeds.ts'
import type { LostFile } from '../../messages/batch/lost-files.ts'
import { resultLines } from '../../messages/batch/results.ts'
import { writeTexts } from '../../messages/batch/write-texts.ts'
import { describeFileProblem } from '../../messages/file-problem.ts'
import type { BatchInputs } from '../../runner/inputs/read-batch.ts'
import type { Step } from '../../runner/step.ts'
import { copyIntoWorkspace } from '../../runner/workspace.ts'
import type { RunFolders } from './run-folders.ts'

export interface BatchFiles {
  /** Absolute paths; undefined where the file could not be written. */
  resultsFile: string | undefined
  failedSeedsFile: string | undefined
  lost: readonly LostFile[]
}

export async function writeBatchFiles(
  report: BatchReport,
  { target, list, publishing }: Pick<BatchInputs, 'target' | 'list' | 'publishing'>,
  folders: RunFolders,
  step: Step,
): Promise<BatchFiles> {
  const { folder } = folders
  const lost: LostFile[] = []
  const write = async (input: string, work: () => Promise<string>): Promise<string | undefined> => {
    try {
      return await work()
    } catch (error) {
      const why = describeFileProblem(error)
      // After a cancellation there is time for the ids alone, which the log has too.
      if (step.cancelled.aborted) return undefined
      // In the artifact the report is an extra.
      if (input === 'junit-file' && publishing.junitFile === undefined) {
        step.log.info(`There is no junit.xml in the artifact: ${why}`)
      } else lost.push({ input, why })
      return undefined
    }
  }
  const resultsFile = await write('results-file', () => writeResults(report, folder, step))
  const failedSeedsFile = await write('failed-seeds-file', () =>
    writeFailedSeeds(report, list.seeds, folder, step),
  )
  await write('junit-file', () => writeJUnit(report, { ...target, ...publishing }, folder, step))
  await write('results-folder', () => copyResults(publishing.resultsFolder, folders, step))
  return { resultsFile, failedSeedsFile, lost }
}

/** With the ids and without any result where the step is cancelled. */
async function writeResults(
  report: BatchReport,
  folder: string,
  { secrets, cancelled }: Step,
): Promise<string> {
  const file = path.join(folder, 'results.jsonl')
  const show = secrets.show
  const isCutShort = () => cancelled.aborted
  try {
    await writeTexts(file, resultLines(report.records, folder, show), cancelled)
  } catch (error) {
    if (!isCutShort()) throw error
    await writeTexts(file, resultLines(report.records, folder, show, 0))
  }
  return file
}

async function writeFailedSeeds(
  report: BatchReport,
  seeds: SeedList,
  folder: string,
  { cancelled }: Step,
): Promise<string> {
  const file = path.join(folder, 'failed-seeds.jsonl')
  await writeTexts(file, failedSeedLines(report.records, seeds.seeds), cancelled)
  return file
}

/** The writer of XML is loaded only now. */
async function writeJUnit(
  { records, startedOn, duration }: BatchReport,
  { automation, junitFile }: { automation: string; junitFile?: string | undefined },
  folder: string,
  step: Step,
): Promise<string> {
  const { junitReport } = await import('../../messages/batch/junit.ts')
  const file = path.join(folder, 'junit.xml')
  const facts = { automation, startedOn, duration, folder }
  const show = step.secrets.show
  await writeTexts(file, junitReport(facts, records, show), step.cancelled)
  if (junitFile === undefined) return file
  await copyIntoWorkspace(file, junitFile, step)
  step.log.info(`Copied to ${junitFile} (junit-file)`)
  return junitFile
}

async function copyResults(
  target: string | undefined,
  folders: RunFolders,
  step: Step,
): Promise<string> {
  if (target === undefined) return ''
  for (const file of await folders.files()) {
    await copyIntoWorkspace(path.join(folders.folder, file), path.join(target, file), step)
  }
  step.log.info(`Copied to ${target} (results-folder)`)
  return target
}
