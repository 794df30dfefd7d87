import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../../sandbox/compile-cache.ts'
import type { ArtifactService } from '../../sandbox/runner/artifact-service.ts'
import type { CacheService } from '../../sandbox/runner/cache-service.ts'
import { buildEnvironment } from '../../sandbox/runner/environment.ts'
import { LineSplitter } from '../../sandbox/runner/lines.ts'
import { makeStepFolders } from '../../sandbox/runner/step-folders.ts'
import { StepLog } from '../../sandbox/runner/step-log.ts'
import { collectResult, type StepResult } from '../../sandbox/runner/step-result.ts'
import type { ClientAnswer, ClientOrder } from './client-program.ts'

const file = fileURLToPath(new URL('client-program.ts', import.meta.url))

export interface ClientStep {
  cacheService?: CacheService | undefined
  artifactService?: ArtifactService | undefined
  env?: Record<string, string>
}

/** What `runStep` gives, with what the program returned. */
export interface ClientResult extends Omit<StepResult, typeof Symbol.asyncDispose> {
  /** JSON, or `undefined`. */
  answer: string
}

/**
 * A process with GitHub's own clients, for steps that do little but ask one of them: loading the
 * clients takes longer than such a step. Each step gets an environment, folders and streams of its
 * own, as `runStep` would make them.
 */
export interface ClientProcess extends AsyncDisposable {
  /** `program` is an async function's body; it has `artifact`, `cache` and `core`. */
  run(program: string, step: ClientStep): Promise<ClientResult>
  [Symbol.asyncDispose](): Promise<void>
}

export function openClientProcess(): ClientProcess {
  const child = fork(file, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { ...process.env, ...compileCache },
  })
  const exit = once(child, 'exit')
  const ask = async (order: ClientOrder): Promise<ClientAnswer> => {
    const answer = once(child, 'message')
    child.send(order)
    const ended = exit.then(() => Promise.reject(new Error('the process has ended')))
    const [message] = (await Promise.race([answer, ended])) as [ClientAnswer]
    return message
  }
  return {
    run: (program, step) => runIn(ask, program, step),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exit
    },
  }
}

async function runIn(
  ask: (order: ClientOrder) => Promise<ClientAnswer>,
  program: string,
  { cacheService: cache, artifactService: artifacts, env = {} }: ClientStep,
): Promise<ClientResult> {
  await using folders = await makeStepFolders({})
  const action = { folder: '', main: '', defaults: {} }
  const parts = {
    action,
    inputs: {},
    folders,
    artifacts,
    cache,
    githubApi: undefined,
    event: { name: 'push', payload: {} },
    env,
  }
  const environment = buildEnvironment(parts)
  const reply = await ask({ program, environment, folder: folders.workspace })
  if (reply.error !== undefined) throw new Error(reply.error)
  const log = new StepLog({ debug: false, secrets: [], onLine: () => undefined })
  for (const printed of [reply.stdout, reply.stderr]) {
    const lines = new LineSplitter((line) => log.take(line))
    lines.write(Buffer.from(printed))
    lines.end()
  }
  const { answer, exitCode, stdout, stderr } = reply
  const end = { exitCode, signal: null, stdout, stderr, endedAt: 0, duration: 0 }
  return { answer, ...(await collectResult(end, log, folders, artifacts?.artifacts ?? [])) }
}
