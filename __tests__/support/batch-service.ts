/** A service in simulated time. Each execution does what its seed says. */
import type { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import type { AutomationService, StartRequest } from '../../src/service/client.ts'
import type { ExecutionStatus, StartAnswer } from '../../src/service/contract.ts'
import { record } from './execution-status.ts'
import { connectionRefused, connectionReset, httpError } from './failures.ts'

type Outcome = 'success' | 'error' | 'container-error' | 'stopped'

interface Refusal {
  status: number
  retryAfter?: number
}

/** How an execution runs and ends. Its JSON text is the seed. */
export interface Course {
  /** Milliseconds. Default: 60 s. */
  takes?: number
  ends?: Outcome
  /** The service reports the end by a flag such as `error`, never by `finished`. */
  finishes?: false
  /** How the executions of the seed end, in the order of their starts. */
  endsInTurn?: Outcome[]
  /** The answers to the starts of the seed, in order. Undefined: the start is accepted. */
  starts?: ('lost' | 'unreached' | Refusal | undefined)[]
  /** The answer to each check, in place of the state. An array has the answers to the first checks. */
  checks?: Refusal | (Refusal | undefined)[]
  /** True if the service keeps result and log. */
  files?: boolean
}

interface Execution {
  course: Course
  startedAt: number
}

/** The methods of the client that a batch uses. */
export type ExecutionService = Pick<AutomationService, 'startAutomation' | 'executionStatus'>

export class BatchService implements ExecutionService {
  readonly starts: { seed: string; at: number }[] = []
  readonly checks: { executionId: string; at: number }[] = []
  readonly executions = new Map<string, Execution>()
  /** Milliseconds that a call takes. */
  latency = 0
  /** Every call fails with the error that this function returns, if any. */
  trouble: (() => Error | undefined) | undefined
  maxRunning = 0
  /** True once a call succeeded. */
  #isProven = false
  readonly #clock: SimulatedClock
  readonly #tries = new Map<string, number>()
  readonly #accepted = new Map<string, number>()

  constructor(clock: SimulatedClock) {
    this.#clock = clock
  }

  /** Adds an execution of an earlier attempt. `age`: milliseconds since its start. */
  has(executionId: string, course: Course, age = 0): void {
    this.executions.set(executionId, { course, startedAt: this.#clock.elapsed - age })
  }

  async startAutomation({ seed = '{}' }: StartRequest, signal: AbortSignal): Promise<StartAnswer> {
    this.starts.push({ seed, at: this.#clock.elapsed })
    await this.#take(signal)
    const course = JSON.parse(seed) as Course
    const tries = this.#tries.get(seed) ?? 0
    this.#tries.set(seed, tries + 1)
    const answer = course.starts?.[tries]
    if (answer === 'lost') throw connectionReset()
    if (answer === 'unreached') throw connectionRefused()
    if (answer) throw this.#refusal(answer)
    this.#isProven = true
    const executionId = `e${this.executions.size + 1}`
    const accepted = this.#accepted.get(seed) ?? 0
    this.#accepted.set(seed, accepted + 1)
    this.has(executionId, {
      ...course,
      ends: course.endsInTurn?.[accepted] ?? course.ends ?? 'success',
    })
    this.maxRunning = Math.max(this.maxRunning, this.running())
    return { executionId, message: '', status: 200 }
  }

  async executionStatus(executionId: string, signal: AbortSignal): Promise<ExecutionStatus> {
    this.checks.push({ executionId, at: this.#clock.elapsed })
    await this.#take(signal)
    const execution = this.executions.get(executionId)
    if (!execution) throw httpError(404)
    const { course, startedAt } = execution
    const answer = Array.isArray(course.checks) ? course.checks.shift() : course.checks
    if (answer) throw this.#refusal(answer)
    this.#isProven = true
    if (!hasEnded(execution, this.#clock.elapsed)) return record()
    const link = (name: string) => `https://store.test/${executionId}/${name}/${startedAt}`
    return record({
      finished: course.finishes ?? true,
      error: course.ends === 'error',
      container_error: course.ends === 'container-error',
      stopped: course.ends === 'stopped',
      result_url: course.files ? link('result') : null,
      logs_url: course.files ? link('log') : null,
    })
  }

  running(): number {
    const now = this.#clock.elapsed
    return [...this.executions.values()].filter((execution) => !hasEnded(execution, now)).length
  }

  /** Returns the shortest time between two checks, in milliseconds. */
  shortestGap(): number {
    const moments = this.checks.map(({ at }) => at)
    return Math.min(...moments.slice(1).map((at, index) => at - (moments[index] ?? 0)))
  }

  #refusal(answer: Refusal): Error {
    return httpError(answer.status, { ...answer, isProven: this.#isProven })
  }

  async #take(signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(this.latency, signal).catch(() => {
      throw connectionReset()
    })
    const failure = this.trouble?.()
    if (failure) throw failure
  }
}

function hasEnded({ course, startedAt }: Execution, now: number): boolean {
  return now - startedAt >= (course.takes ?? 60_000)
}
