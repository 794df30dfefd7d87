/** Many lives, one after the other. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createProject } from '../../src/actions/create-project.ts'
import { runAutomation } from '../../src/actions/run.ts'
import { startAutomation } from '../../src/actions/start.ts'
import { waitForExecution } from '../../src/actions/wait.ts'
import type { ChaosOptions } from './chaos-options.ts'
import { usualExtras } from './extra-faults.ts'
import { liveThrough, type Act, type Stories } from './scenario.ts'
import { readDefaults } from './stage-environment.ts'
import { Tally } from './tally.ts'

/** The action's own stories, as its entries tell them. */
export const ownStories: Stories = {
  run: runAutomation,
  start: startAutomation,
  wait: waitForExecution,
  'create-project': createProject,
}

export async function cause(
  { runs, seed, also = usualExtras }: Omit<ChaosOptions, 'also'> & Partial<ChaosOptions>,
  stories: Stories = ownStories,
  onAct: (act: Act) => void = () => undefined,
): Promise<Tally> {
  const folder = await mkdtemp(path.join(tmpdir(), 'chaos-'))
  try {
    const extras = new Set(also)
    const theatre = { stories, folder, defaults: await readDefaults(), extras }
    const tally = new Tally(also)
    for (let run = seed; run < seed + runs; run++) {
      const acts = await liveThrough(run, theatre)
      tally.add(run, acts)
      acts.forEach(onAct)
    }
    return tally
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
