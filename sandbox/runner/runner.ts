import type { ChildProcess } from 'node:child_process'
import { type ActionFile, describeUnexpected, readActionFile } from './action-file.ts'
import { type ArtifactService, openArtifactService } from './artifact-service.ts'
import type { CacheService } from './cache-service.ts'
import { buildEnvironment, type WorkflowEvent } from './environment.ts'
import type { GithubApi } from './github-api.ts'
import { LineWatch } from './line-watch.ts'
import { makeStepFolders } from './step-folders.ts'
import { StepLog } from './step-log.ts'
import { startProcess } from './step-process.ts'
import { collectResult, type StepResult } from './step-result.ts'

export type { ArtifactService } from './artifact-service.ts'
export type { CacheService } from './cache-service.ts'
export type { Annotation } from './step-log.ts'
export type { StepResult } from './step-result.ts'

export interface StepOptions {
  /** The folder of the `action.yml`. A relative path starts at the root of the repository. */
  action: string
  /** The step's `with:`. A missing input gets its default from `action.yml`. */
  inputs: Record<string, string>
  /** Additional variables. They override all other variables of the step. */
  env?: Record<string, string>
  /** Default: a new service for this step, which closes when the result is disposed. */
  artifactService?: ArtifactService | 'none'
  /** Default: no cache. Steps and attempts with the same service share its entries. */
  cacheService?: CacheService
  /** The values of GITHUB_API_URL and of the job's token. Default: no token. */
  githubApi?: Pick<GithubApi, 'url' | 'token'>
  /** The event that started the workflow. Default: a push. */
  event?: WorkflowEvent
  /** The folder RUNNER_TEMP, which the steps of one job share. Default: as for `workspace`. */
  temp?: string
  /** Default: a new folder, which is removed when the result is disposed. */
  workspace?: string
  /** True to keep the terminal's Ctrl-C from the step. Has no effect on Windows. */
  ownGroup?: boolean
  /** Called with each line of the masked log. */
  onLine?: (shown: string) => void
}

/** A running step. Disposing kills the step and removes its files. */
export interface RunningStep extends AsyncDisposable {
  result: Promise<StepResult>
  /** Sends a signal to the program as soon as the program has started. */
  signal(name: NodeJS.Signals): void
  /** Closes the reading end of the program's log, as a runner that dies. */
  closeLog(): void
  /** Resolves with the first matching line, also an earlier one. Rejects if the step ends first. */
  waitForLine(pattern: RegExp): Promise<string>
}

const push: WorkflowEvent = { name: 'push', payload: {} }
const defaults = { env: {}, githubApi: undefined, event: push }

/** Runs one step as GitHub's runner does. Resolves when the step ends, also if the step fails. */
export async function runStep(options: StepOptions): Promise<StepResult> {
  return startStep(options).result
}

export function startStep(options: StepOptions): RunningStep {
  const watch = new LineWatch()
  const program = Promise.withResolvers<ChildProcess>()
  const result = execute(options, watch, program.resolve)
  // If the step cannot start, only `result` reports the error.
  result.catch((error: unknown) => program.reject(error))
  const use = (act: (child: ChildProcess) => unknown) =>
    void program.promise.then(act, () => undefined)
  const send = (name: NodeJS.Signals) => use((child) => child.kill(name))
  // Prevents an unhandled rejection if no signal is sent.
  program.promise.catch(() => undefined)
  return {
    result,
    signal: send,
    closeLog: () => use(({ stdout }) => stdout?.destroy()),
    waitForLine: (pattern) => watch.waitFor(pattern),
    async [Symbol.asyncDispose]() {
      send('SIGKILL')
      await result.then(
        (step) => step[Symbol.asyncDispose](),
        () => undefined,
      )
    },
  }
}

async function execute(
  options: StepOptions,
  watch: LineWatch,
  onStart: (child: ChildProcess) => void,
): Promise<StepResult> {
  await using cleanup = new AsyncDisposableStack()
  try {
    const action = await readActionFile(options.action)
    const folders = cleanup.use(await makeStepFolders(options))
    const service = options.artifactService ?? cleanup.use(await openArtifactService())
    const artifacts = service === 'none' ? undefined : service
    const cache = options.cacheService
    if (cache) artifacts?.mount(cache)
    const log = openLog(options, action, [artifacts ?? cache, options.githubApi])
    const { child, end } = startProcess({
      main: action.main,
      workspace: folders.workspace,
      ownGroup: options.ownGroup ?? false,
      environment: buildEnvironment({ ...defaults, ...options, action, folders, artifacts, cache }),
      onLine: (line) => {
        log.take(line)
        watch.take(line)
      },
    })
    onStart(child)
    const result = await collectResult(await end, log, folders, artifacts?.artifacts ?? [])
    const kept = cleanup.move()
    return { ...result, [Symbol.asyncDispose]: () => kept.disposeAsync() }
  } finally {
    watch.end()
  }
}

function openLog(
  { inputs, env, onLine }: StepOptions,
  action: ActionFile,
  services: readonly ({ token: string } | undefined)[],
): StepLog {
  const log = new StepLog({
    debug: env?.['RUNNER_DEBUG'] === '1',
    secrets: services.flatMap((service) => service?.token ?? []),
    onLine: onLine ?? (() => undefined),
  })
  const unexpected = describeUnexpected(inputs, action)
  if (unexpected !== undefined) log.annotate('warning', unexpected)
  return log
}
