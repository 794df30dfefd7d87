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
  /** Inputs that replace the inputs of the command line. */
  inputs: Record<string, string>
}

/** Returns one attempt, or two with `--rerun`. The first attempt of `run` then times out. */
export function attemptsOf({ name, rerun }: StartOptions): Attempt[] {
  if (!rerun) return [{ title: 'Running the action', env: {}, inputs: {} }]
  const attempt = (number: number) => ({ GITHUB_RUN_ATTEMPT: String(number) })
  // `start` does not wait, so its first attempt needs no timeout.
  const first =
    name === 'run'
      ? { title: 'Attempt 1, with a timeout of 2 s: the action', inputs: { timeout: '2s' } }
      : { title: 'Attempt 1: the action', inputs: {} }
  return [
    { ...first, env: attempt(1) },
    { title: 'Attempt 2: the action', env: attempt(2), inputs: {} },
  ]
}

/** Opens GitHub's services, and makes a home folder for the files of the cache client. */
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
