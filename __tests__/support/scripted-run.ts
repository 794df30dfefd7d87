/** Runs the core (watch, begin, followRun) in simulated time, against scripted executions. */
import { Deadline } from '../../src/clock.ts'
import type { RunEvent } from '../../src/execution/events.ts'
import type { RunEnv, Validate } from '../../src/execution/run.ts'
import type { ExecutionStatus } from '../../src/service/contract.ts'
import { neverAborts, SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { PendingWork, runToEnd } from '../../sandbox/simulation/simulated-time.ts'
import { httpError } from './failures.ts'
import { record } from './execution-status.ts'

/** The answer to a check: flags, an HTTP status, an error, or a function that gets the signal. */
export type Check =
  Partial<ExecutionStatus> | number | Error | ((signal: AbortSignal) => Promise<ExecutionStatus>)

/** The last check repeats. `start` is the error of the start, if the start is not accepted. */
export interface Script {
  start?: Error
  checks?: readonly Check[]
}

export interface Given {
  timeout?: number
  random?: () => number
  /** When the step is cancelled, in milliseconds from the beginning. */
  cancelAt?: number
  validate?: Validate
  minPause?: () => number
  onEvent?: (event: RunEvent) => void
}

/** What the code under test did. Moments are milliseconds from the beginning. */
export class ScriptedRun {
  readonly clock: SimulatedClock
  readonly events: RunEvent[] = []
  readonly startedAt: number[] = []
  readonly checkedAt: number[] = []
  readonly removed: string[] = []
  readonly deadline: Deadline
  readonly env: RunEnv
  readonly #scripts: readonly Script[]
  readonly #onEvent: Given['onEvent']
  #folders = 0

  /** The executions get the ids `e-1`, `e-2`, … `known` is how many of them exist already. */
  constructor(scripts: readonly Script[], given: Given = {}, known = 0) {
    const { timeout = 3_600_000, cancelAt, random = () => 1, validate, minPause, onEvent } = given
    this.#scripts = scripts
    this.#onEvent = onEvent
    this.clock = new SimulatedClock({ maxJump: 0 })
    const cancelled = cancelAt === undefined ? neverAborts : this.#abortAt(cancelAt)
    this.deadline = new Deadline(this.clock, timeout, cancelled)
    let started = known
    this.env = {
      clock: this.clock,
      random,
      cancelled,
      start: () => {
        this.startedAt.push(this.clock.elapsed)
        const failure = this.#scripts[started]?.start
        if (failure) return Promise.reject(failure)
        return Promise.resolve({ executionId: `e-${++started}`, message: '' })
      },
      check: (id, signal) => this.#check(Number(id.slice(2)), signal),
      ...(minPause && { minPause }),
      store: { open: () => Promise.reject(new Error('nothing is stored')) },
      makeFolder: () => Promise.resolve(`folder-${++this.#folders}`),
      removeFolder: (folder) => Promise.resolve(void this.removed.push(folder)),
      readLogEnd: () => Promise.resolve(''),
      validate,
    }
  }

  readonly emit = (event: RunEvent): void => {
    this.events.push(event)
    this.#onEvent?.(event)
  }

  /** Advances the clock until `work` is done, and returns what it returned. */
  async finish<Value>(work: Promise<Value>): Promise<Value> {
    const { clock } = this
    const ending = await runToEnd(work, clock, clock.now() + 7_200_000, new PendingWork())
    this.deadline[Symbol.dispose]()
    if (ending.kind === 'threw') throw ending.error
    if (ending.kind === 'hung') throw new Error(ending.why)
    return ending.value
  }

  #abortAt(moment: number): AbortSignal {
    const cancellation = new AbortController()
    void this.clock.sleep(moment).then(() => cancellation.abort(new Error('cancelled')))
    return cancellation.signal
  }

  readonly #made = new Map<number, number>()

  async #check(execution: number, signal: AbortSignal): Promise<ExecutionStatus> {
    this.checkedAt.push(this.clock.elapsed)
    const { checks = [] } = this.#scripts[execution - 1] ?? {}
    const made = this.#made.get(execution) ?? 0
    this.#made.set(execution, made + 1)
    const next = checks[Math.min(made, checks.length - 1)]
    await Promise.resolve()
    if (typeof next === 'function') return next(signal)
    if (next === undefined) throw new Error('no check is scripted')
    if (typeof next === 'number') throw httpError(next)
    if (next instanceof Error) throw next
    return record(next)
  }
}
