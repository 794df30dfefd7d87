/** All facts about one step that the checks use. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { readBatchFiles, type BatchFiles } from './batch-files.ts'
import type { ScenarioContext } from './scenario-context.ts'
import { maxEarly } from './simulated-clock.ts'
import type { StepRun } from './simulated-step.ts'
import { copyNames } from './step-environment.ts'
import type { StepPlan } from './step-plan.ts'
import type { Traffic } from './traffic.ts'

export interface FinishedStep {
  plan: StepPlan
  run: StepRun
  traffic: Traffic
  context: ScenarioContext
  files: StepFiles
  /** This step, and the steps that ran at the same time. */
  atOnce: readonly Omit<FinishedStep, 'files' | 'atOnce'>[]
}

export interface StepFiles {
  /** Undefined if the output `result-file` is empty. */
  result: Buffer | undefined
  log: Buffer | undefined
  /** The copies in the workspace that this step has written. */
  copies: { result?: Buffer | undefined; log?: Buffer | undefined }
  /** The files with texts that the action composed: all except result and log. */
  composed: string[]
  /** Names of unfinished downloads. */
  leftovers: string[]
  batch: BatchFiles | undefined
}

/** Half of the steps find this copy of an earlier run in the place of their own copy. */
export const earlierCopy = Buffer.from('the copy of an earlier run')

export async function readFiles(
  { recorded }: StepRun,
  { action }: Pick<StepPlan, 'action'>,
  folder: string,
  copyFolder: string,
): Promise<StepFiles> {
  const [result, log] = [recorded.output('result-file'), recorded.output('log-file')]
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const all = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
  const copy = async (name: string) => {
    const file = path.join(folder, copyFolder, name)
    const bytes = all.includes(file) ? await readFile(file) : undefined
    return bytes?.equals(earlierCopy) ? undefined : bytes
  }
  const batch = action === 'batch' ? await readBatchFiles(recorded, folder, all) : undefined
  const downloaded = new Set([result, log, ...(batch?.data ?? [])])
  // Files of the execution before an unclear retry are kept for the artifact. No output names them.
  const isDownloaded = (file: string) =>
    downloaded.has(file) || /^(?:result\..+|run\.log)$/.test(path.basename(file))
  const composed = all.filter((file) => !isDownloaded(file))
  return {
    result: result ? await readFile(result) : undefined,
    log: log ? await readFile(log) : undefined,
    copies: {
      result: await copy(copyNames.result),
      log: await copy(copyNames.log),
    },
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

// Milliseconds. A single look (`timeout: 0s`) and the sending of a start have their own bounds.
const singleLook = 30_000
const sending = 120_000

const hasTime = new Set(['run', 'wait', 'batch'])

/** Returns the moment at which the step's time runs out. A look at an earlier run counts in it. */
export function deadlineOf({ plan: { action, timeout }, run, traffic }: FinishedStep): number {
  const introducedAt = run.recorded.introducedAt ?? run.startedAt
  if (!hasTime.has(action)) return introducedAt + sending
  const [first] = traffic.exchanges
  return Math.min(introducedAt, first?.sentAt ?? Infinity) + (timeout || singleLook)
}

export function isLate(step: FinishedStep): boolean {
  return step.plan.timeout === 0 || step.run.endedAt >= deadlineOf(step) - maxEarly
}
