/** What the checks know of one step. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ScenarioContext } from './scenario-context.ts'
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
  /** Undefined where the step says that there is none. */
  result: Buffer | undefined
  log: Buffer | undefined
  copy: Buffer | undefined
  /** Texts that the action composed: all but result and log. */
  composed: string[]
  /** Names of unfinished downloads that were left behind. */
  leftovers: string[]
}

export async function readFiles({ recorded }: StepRun, folder: string): Promise<StepFiles> {
  const [result, log] = [recorded.output('result-file'), recorded.output('log-file')]
  const copy = path.join(folder, 'copies', 'result')
  const downloaded = new Set([result, log, copy])
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const all = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
  const composed = all.filter((file) => !downloaded.has(file))
  return {
    result: result ? await readFile(result) : undefined,
    log: log ? await readFile(log) : undefined,
    copy: all.includes(copy) ? await readFile(copy) : undefined,
    composed: await Promise.all(composed.map((file) => readFile(file, 'utf8'))),
    leftovers: all.filter((file) => file.endsWith('.part')),
  }
}

export function conclusionOf({ recorded }: StepRun): string {
  return recorded.output('conclusion')
}

// A single look (`timeout: 0s`) and the sending of a start have bounds of their own.
const singleLook = 30_000
const sending = 120_000

/** The moment at which the step's time runs out. */
export function deadlineOf({ plan: { action, timeout }, run }: FinishedStep): number {
  const span = action === 'run' || action === 'wait' ? timeout || singleLook : sending
  return (run.recorded.introducedAt ?? run.startedAt) + span
}
