/** The entry of the bundle. `main` of each action.yml is a file that calls one of these functions. */
import { performCreateProject } from './create-project.ts'
import { performRun } from './run.ts'
import { performStart } from './start.ts'
import { performWait } from './wait.ts'

/** The functions have the names of the actions, because the build makes a file for each name. */
export const actions = {
  run: performRun,
  start: performStart,
  wait: performWait,
  'create-project': performCreateProject,
  /** Loaded from a chunk of its own. The other actions do not need its code. */
  batch: async () => {
    const { performBatch } = await import('./batch.ts')
    await performBatch()
  },
}
