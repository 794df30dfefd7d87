/** The attempts of a job that `npm start` runs, and the services that the runner offers to them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openArtifactService } from '../../sandbox/runner/artifact-service.ts'
import { openCacheService } from '../../sandbox/runner/cache-service.ts'
import type { StartOptions } from './options.ts'

interface Attempt {
  /** The text before the action's name in the attempt's first line. */
  title: string
  env: Record<string, string>
  /** Over those of the command line. */
  inputs: Record<string, string>
}

/** With `--rerun` a first one that is cut off after one look at its run, and a second one. */
export function attemptsOf({ name, rerun }: StartOptions): Attempt[] {
  if (!rerun) return [{ title: 'Running the action', env: {}, inputs: {} }]
  const attempt = (number: number) => ({ GITHUB_RUN_ATTEMPT: String(number) })
  // `start` does not wait, so its first attempt cannot be cut off.
  const first =
    name === 'run'
      ? { title: 'Attempt 1, ended after one check: the action', inputs: { timeout: '0s' } }
      : { title: 'Attempt 1: the action', inputs: {} }
  return [
    { ...first, env: attempt(1) },
    { title: 'Attempt 2: the action', env: attempt(2), inputs: {} },
  ]
}

/** GitHub's services, and a home folder of its own: the cache client writes there. */
export async function openServices() {
  await using cleanup = new AsyncDisposableStack()
  const artifactService = cleanup.use(await openArtifactService())
  const cacheService = cleanup.use(await openCacheService())
  const home = await mkdtemp(path.join(tmpdir(), 'home-'))
  cleanup.defer(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
  const kept = cleanup.move()
  return {
    shared: { artifactService, cacheService },
    env: { HOME: home, USERPROFILE: home },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
