/** Many lives, one after the other. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ChaosOptions } from './chaos-options.ts'
import { usualExtras } from './extra-faults.ts'
import { ownActions } from './own-actions.ts'
import { liveThrough, type Act, type Stories } from './scenario.ts'
import { readDefaults } from './stage-environment.ts'
import { Tally } from './tally.ts'

export async function cause(
  { runs, seed, also = usualExtras }: Omit<ChaosOptions, 'also'> & Partial<ChaosOptions>,
  stories: Stories = ownActions,
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
