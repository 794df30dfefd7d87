/** Follows a run with retries, against a service with scripted executions. */
import { Deadline } from '../../src/clock.ts'
import type { ExecutionReport } from '../../src/execution/execution-report.ts'
import type { CheckResult } from '../../src/execution/follow-execution.ts'
import { followWithRetries, type RetryPlan } from '../../src/execution/retries.ts'
import type { ExecutionStatus } from '../../src/service/contract.ts'
import { AutomationService } from '../../src/service/client.ts'
import type { HttpRequest } from '../../src/service/http-request.ts'
import type { Answer } from '../../src/service/transport.ts'
import { neverAborts, SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { PendingWork, runToEnd } from '../../sandbox/simulation/simulated-time.ts'
import { credentials } from './connections.ts'
import { finished, record } from './execution-status.ts'

/** The answers to the start and the checks of one execution. The last check repeats. */
export interface ScriptedExecution {
  /** A status other than 202, or an error in place of an answer. */
  start?: number | Error
  checks?: readonly (Partial<ExecutionStatus> | number)[]
}

export const died: ScriptedExecution = { checks: [{ ...finished, container_error: true }] }
export const raised: ScriptedExecution = { checks: [{ ...finished, error: true }] }
export const succeeded: ScriptedExecution = { checks: [finished] }

interface Circumstances extends Partial<
  Pick<RetryPlan, 'retries' | 'retryOn' | 'begin' | 'request'>
> {
  clock?: SimulatedClock
  timeout?: number
  random?: () => number
  cancelled?: AbortSignal
  checkResult?: CheckResult
  /** Called at the start of each pause, and at each end of an execution. */
  onRetry?: () => void
  onEnding?: () => void
}

interface Calls {
  pauses: number[]
  /** The number of the execution that follows each pause. */
  next: number[]
  /** The ids that the starts reported. */
  started: string[]
  ended: string[]
  settled: ExecutionReport[]
}

export const request = { project: 'demo', automation: 'report', webhook: 'https://h.test/' }

/** The executions get the ids `e-1`, `e-2`, … The id in `begin`, if any, names the first one. */
export async function followRetried(
  executions: readonly ScriptedExecution[],
  given: Circumstances = {},
) {
  const { clock = new SimulatedClock({ maxJump: 0 }), cancelled = neverAborts } = given
  const { begin = request, timeout = 3_600_000, retries = 2 } = given
  const { retryOn = new Set(['container-error'] as const), random = () => 1 } = given
  const service = new ScriptedExecutions(executions, 'executionId' in begin ? 1 : 0, clock)
  const calls: Calls = { pauses: [], next: [], started: [], ended: [], settled: [] }
  const removed: string[] = []
  let folders = 0
  using deadline = new Deadline(clock, timeout, cancelled)
  const following = followWithRetries(
    { begin, request: given.request, retries, retryOn, pollInterval: 5_000, deadline },
    {
      clock,
      random,
      cancelled,
      service: new AutomationService(service, address, credentials),
      store: { open: () => Promise.reject(new Error('nothing is stored')) },
      makeFolder: () => Promise.resolve(`folder-${++folders}`),
      removeFolder: (folder) => Promise.resolve(void removed.push(folder)),
      readLogEnd: () => Promise.resolve(''),
      checkResult: given.checkResult,
    },
    listenerFor(calls, given),
  )
  const ending = await runToEnd(following, clock, clock.now() + 7_200_000, new PendingWork())
  if (ending.kind !== 'returned') throw new Error('it did not end', { cause: ending })
  return { report: ending.value, startedAt: service.startedAt, removed, ...calls }
}

const address = { baseUrl: 'https://a.test', statusBaseUrl: 'https://a.test' }

function listenerFor(calls: Calls, { onRetry, onEnding }: Circumstances) {
  const nothing = () => undefined
  return {
    onStartRetry: nothing,
    onWait: nothing,
    onStatus: nothing,
    onCheck: nothing,
    onDownload: nothing,
    onStarted: ({ executionId }: { executionId: string }) => void calls.started.push(executionId),
    onEnding: ({ conclusion }: ExecutionReport) => {
      calls.ended.push(conclusion)
      onEnding?.()
    },
    onSettled: (report: ExecutionReport) => void calls.settled.push(report),
    onRetry: (_: ExecutionReport, pause: number, next: number) => {
      calls.pauses.push(pause)
      calls.next.push(next)
      onRetry?.()
    },
  }
}

class ScriptedExecutions {
  /** Milliseconds from the beginning to each start that was sent. */
  readonly startedAt: number[] = []
  readonly #executions: readonly ScriptedExecution[]
  readonly #clock: SimulatedClock
  #started: number
  readonly #checks = new Map<string, number>()

  constructor(executions: readonly ScriptedExecution[], started: number, clock: SimulatedClock) {
    this.#executions = executions
    this.#started = started
    this.#clock = clock
  }

  async send({ method, url }: HttpRequest): Promise<Answer> {
    await Promise.resolve()
    return method === 'POST' ? this.#start() : this.#check(url.pathname.split('/').at(-2) ?? '')
  }

  #start(): Answer {
    this.startedAt.push(this.#clock.elapsed)
    const { start = 202 } = this.#executions[this.#started++] ?? {}
    if (start instanceof Error) throw start
    return answerOf(start, { status: 'success', message: 'ok', execution_id: `e-${this.#started}` })
  }

  #check(id: string): Answer {
    const { checks = [] } = this.#executions[Number(id.replace('e-', '')) - 1] ?? {}
    const made = this.#checks.get(id) ?? 0
    this.#checks.set(id, made + 1)
    const next = checks[Math.min(made, checks.length - 1)] ?? 500
    return typeof next === 'number' ? answerOf(next, {}) : answerOf(200, record(next))
  }
}

function answerOf(status: number, body: unknown): Answer {
  return { status, headers: {}, body: JSON.stringify(body), receivedAt: 0 }
}
