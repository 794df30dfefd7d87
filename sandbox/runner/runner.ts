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
  /** Folder with an `action.yml`, relative to the repository's root (`.`, `wait`) or absolute. */
  action: string
  /** The step's `with:`. A missing input gets its default from `action.yml`. */
  inputs: Record<string, string>
  /** Added to the step's environment, over everything else. */
  env?: Record<string, string>
  /** Default: a service for this step alone, which is closed with its result. */
  artifactService?: ArtifactService | 'none'
  /** Default: none. Shared by the steps and attempts that it is given to. */
  cacheService?: CacheService
  /** GITHUB_API_URL, and the job's token. Default: no token. */
  githubApi?: Pick<GithubApi, 'url' | 'token'>
  /** The event that started the workflow. Default: a push. */
  event?: WorkflowEvent
  /** RUNNER_TEMP, for steps of one job. Default as with `workspace`. */
  temp?: string
  /** Default: a fresh folder, removed with the result. A folder that is given stays. */
  workspace?: string
  /** Keeps the terminal's Ctrl-C from the step, for callers that forward it (not on Windows). */
  ownGroup?: boolean
  /** Each line as the runner shows it, masked. */
  onLine?: (shown: string) => void
}

/** A running step. Disposing kills it and removes its files. */
export interface RunningStep extends AsyncDisposable {
  result: Promise<StepResult>
  /** Sent as soon as the program runs. */
  signal(name: NodeJS.Signals): void
  /** Resolves with an earlier or later line of either stream. Rejects if the step ends first. */
  waitForLine(pattern: RegExp): Promise<string>
}

const push: WorkflowEvent = { name: 'push', payload: {} }
const unset = { env: {}, githubApi: undefined, event: push }

/** Runs one step as GitHub's runner does and waits for its end, whichever it is. */
export async function runStep(options: StepOptions): Promise<StepResult> {
  return startStep(options).result
}

export function startStep(options: StepOptions): RunningStep {
  const watch = new LineWatch()
  const program = Promise.withResolvers<ChildProcess>()
  const result = execute(options, watch, program.resolve)
  // A step that cannot start fails through `result` alone.
  result.catch((error: unknown) => program.reject(error))
  const send = (name: NodeJS.Signals) =>
    void program.promise.then(
      (child) => child.kill(name),
      () => undefined,
    )
  // Noticed here: a signal may never be sent.
  program.promise.catch(() => undefined)
  return {
    result,
    signal: send,
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
      environment: buildEnvironment({ ...unset, ...options, action, folders, artifacts, cache }),
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
