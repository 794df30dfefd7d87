/** Collects all facts about one step that the checks use. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { readBatchFiles, type BatchFiles } from './batch-files.ts'
import type { ScenarioContext } from './scenario-context.ts'
import { maxEarly } from './simulated-clock.ts'
import type { StepRun } from './simulated-step.ts'
import type { StepPlan } from './step-plan.ts'
import type { Traffic } from './traffic.ts'

export interface FinishedStep {
  plan: StepPlan
  run: StepRun
  traffic: Traffic
  context: ScenarioContext
  files: StepFiles
}

export interface StepFiles {
  /** Undefined if the output `result-file` is empty. */
  result: Buffer | undefined
  log: Buffer | undefined
  /** The texts of all files that the action wrote itself. Excludes downloaded files. */
  composed: string[]
  /** The paths of unfinished downloads. */
  leftovers: string[]
  batch: BatchFiles | undefined
}

export async function readFiles(
  { recorded }: StepRun,
  { action }: Pick<StepPlan, 'action'>,
  folder: string,
): Promise<StepFiles> {
  const [result, log] = [recorded.output('result-file'), recorded.output('log-file')]
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const all = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
  const batch = action === 'batch' ? await readBatchFiles(recorded, folder, all) : undefined
  const downloaded = new Set([result, log, ...(batch?.data ?? [])])
  // After an unclear retry, files of the previous execution are kept, but no output names them.
  const isDownloaded = (file: string) =>
    downloaded.has(file) || /^(?:result\..+|run\.log)$/.test(path.basename(file))
  const composed = all.filter((file) => !isDownloaded(file))
  return {
    result: result ? await readFile(result) : undefined,
    log: log ? await readFile(log) : undefined,
    composed: [
      ...(await Promise.all(composed.map((file) => readFile(file, 'utf8')))),
      ...(batch?.composed ?? []),
    ],
    leftovers: all.filter((file) => file.endsWith('.part')),
    batch,
  }
}

export function conclusionOf({ recorded }: StepRun): string {
  return recorded.output('conclusion')
}

/** Returns true if the service has removed the files of the step's run before this attempt. */
export function areFilesRemoved({ context, run }: FinishedStep): boolean {
  const execution = context.service.executions.find(run.recorded.output('execution-id'))
  return execution?.plan.change === 'now without files'
}

/** Returns true if the service keeps a result, and the step has not fetched it. */
export function isResultLost(step: FinishedStep): boolean {
  const { files, context } = step
  return context.plan.result !== undefined && files.result === undefined && !areFilesRemoved(step)
}

// How long sending a start may take without a timeout: the tries, and the answer to the last one.
const maxSendTime = 120_000 + 120_000

const actionsWithTimeout = new Set(['run', 'wait', 'batch'])

/** Returns when the step's time is up. It begins with the first line of the log or the first check. */
export function deadlineOf({ plan: { action, timeout }, run, traffic }: FinishedStep): number {
  const introducedAt = run.recorded.introducedAt ?? run.startedAt
  if (!actionsWithTimeout.has(action)) return introducedAt + maxSendTime
  const [first] = traffic.exchanges
  return Math.min(introducedAt, first?.sentAt ?? Infinity) + timeout
}

export function isLate(step: FinishedStep): boolean {
  return step.plan.timeout === 0 || step.run.endedAt >= deadlineOf(step) - maxEarly
}
