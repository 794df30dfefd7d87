/** Runs the core (watch, begin, followRun) in simulated time, against scripted executions. */
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { findCause } from '../../src/cause/find-cause.ts'
import { Deadline, type Clock } from '../../src/clock.ts'
import type { Store } from '../../src/download/store.ts'
import type { RunEvent } from '../../src/execution/events.ts'
import type { RunEnv } from '../../src/execution/follow-run.ts'
import type { ExecutionStatus } from '../../src/service/contract.ts'
import { neverAborts, SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { PendingWork, runToEnd } from '../../sandbox/simulation/simulated-time.ts'
import { httpError } from './failures.ts'
import { record } from './execution-status.ts'

/** The answer to a check: flags, an HTTP status, an error, or a function that returns it. */
export type Check =
  | Partial<ExecutionStatus>
  | number
  | Error
  | ((signal: AbortSignal, clock: Clock) => Promise<Partial<ExecutionStatus>>)

/**
 * The last check repeats. `start` is the error of the start, if the start is not accepted. The
 * answer to the start comes after `latency` milliseconds.
 */
export interface Script {
  start?: Error
  latency?: number
  checks?: readonly Check[]
}

/** Returns a check whose answer, or whose HTTP status, comes after `span` milliseconds. */
export function slow(span: number, check: Partial<ExecutionStatus> | number): Check {
  return async (signal, clock) => {
    await clock.sleep(span, signal)
    if (typeof check === 'number') throw httpError(check)
    return check
  }
}

/** Returns a store that answers with these statuses first, and then with this file. */
export function storeOf(file: string, ...statuses: number[]): Store {
  return {
    open: () => {
      const body = Readable.from([Buffer.from(file)])
      const status = statuses.shift() ?? 200
      const headers = { 'content-type': 'application/json' }
      return Promise.resolve({ status, headers, body, close: () => undefined })
    },
  }
}

const emptyStore: Store = { open: () => Promise.reject(new Error('nothing is stored')) }

export interface Given {
  timeout?: number
  /** How much too early timers fire, in milliseconds. */
  early?: number
  random?: () => number
  /** When the step is cancelled, in milliseconds from the beginning. */
  cancelAt?: number
  validate?: RunEnv['validate']
  minPause?: () => number
  /** By default, the store has no file, and the folders do not exist. */
  files?: { store: Store; folder: string }
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
    const { timeout = 3_600_000, cancelAt, random = () => 1, validate, minPause, files } = given
    this.#scripts = scripts
    this.#onEvent = given.onEvent
    this.clock = new SimulatedClock({ maxJump: 0, early: () => given.early ?? 0 })
    const cancelled = cancelAt === undefined ? neverAborts : this.#abortAt(cancelAt)
    this.deadline = new Deadline(this.clock, timeout, cancelled)
    let started = known
    this.env = {
      clock: this.clock,
      random,
      cancelled,
      sendStart: async (signal) => {
        this.startedAt.push(this.clock.elapsed)
        const { start: failure, latency = 0 } = this.#scripts[started] ?? {}
        await this.clock.sleep(latency, signal)
        if (failure) throw failure
        return { executionId: `e-${++started}`, message: '', status: 200 }
      },
      sendCheck: (id, signal) => this.#check(Number(id.slice(2)), signal),
      ...(minPause && { minPause }),
      store: files?.store ?? emptyStore,
      makeFolder: () => Promise.resolve(files?.folder ?? `folder-${++this.#folders}`),
      removeFolder: (folder) => Promise.resolve(void this.removed.push(folder)),
      readCause: async (file) => findCause(await readFile(file, 'utf8')),
      validate,
    }
  }

  readonly emit = (event: RunEvent): void => {
    this.events.push(event)
    this.#onEvent?.(event)
  }

  /** Advances the clock until `work` is done, and returns what it returned. No timer may be left. */
  async finish<Value>(work: Promise<Value>): Promise<Value> {
    const { clock } = this
    const ending = await runToEnd(work, clock, clock.now() + 7_200_000, new PendingWork())
    this.deadline[Symbol.dispose]()
    this.#over.abort()
    if (clock.sleeping > 0) throw new Error('a timer is still running')
    if (ending.kind === 'threw') throw ending.error
    if (ending.kind === 'hung') throw new Error(ending.why)
    return ending.value
  }

  #abortAt(moment: number): AbortSignal {
    const cancellation = new AbortController()
    const cancel = () => cancellation.abort(new Error('cancelled'))
    this.clock.sleep(moment, this.#over.signal).then(cancel, () => undefined)
    return cancellation.signal
  }

  readonly #over = new AbortController()
  readonly #made = new Map<number, number>()

  async #check(execution: number, signal: AbortSignal): Promise<ExecutionStatus> {
    this.checkedAt.push(this.clock.elapsed)
    const { checks = [] } = this.#scripts[execution - 1] ?? {}
    const made = this.#made.get(execution) ?? 0
    this.#made.set(execution, made + 1)
    const next = checks[Math.min(made, checks.length - 1)]
    await Promise.resolve()
    if (typeof next === 'function') return record(await next(signal, this.clock))
    if (next === undefined) throw new Error('no check is scripted')
    if (typeof next === 'number') throw httpError(next)
    if (next instanceof Error) throw next
    return record(next)
  }
}
