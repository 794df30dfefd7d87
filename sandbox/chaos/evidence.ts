/** What a judge may look at after one step. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Ledger } from './ledger.ts'
import type { Performance } from './performance.ts'
import type { StepPlan } from './step-plan.ts'
import type { World } from './world.ts'

export interface Evidence {
  plan: StepPlan
  performance: Performance
  ledger: Ledger
  world: World
  files: StepFiles
}

export interface StepFiles {
  /** Undefined where the step says that there is none. */
  result: Buffer | undefined
  log: Buffer | undefined
  copy: Buffer | undefined
  /** Texts of all that is not the automation's own. */
  ours: string[]
  /** Names of downloads that were given up and still lie there. */
  rests: string[]
}

export async function readFiles({ recording }: Performance, folder: string): Promise<StepFiles> {
  const [result, log] = [recording.output('result-file'), recording.output('log-file')]
  const copy = path.join(folder, 'copies', 'result')
  const foreign = new Set([result, log, copy])
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const all = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
  const ours = all.filter((file) => !foreign.has(file))
  return {
    result: result ? await readFile(result) : undefined,
    log: log ? await readFile(log) : undefined,
    copy: all.includes(copy) ? await readFile(copy) : undefined,
    ours: await Promise.all(ours.map((file) => readFile(file, 'utf8'))),
    rests: all.filter((file) => file.endsWith('.part')),
  }
}

export function conclusionOf({ recording }: Performance): string {
  return recording.output('conclusion')
}

/** The moment at which the step's time runs out. The numbers are those of design 3, rules 1 and 7. */
export function deadlineOf({ plan, performance }: Evidence): number {
  const { action, timeout } = plan
  const once = 30_000
  const delivery = 120_000
  const span = action === 'run' || action === 'wait' ? timeout || once : delivery
  return performance.startedAt + span
}
