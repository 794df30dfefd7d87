/**
 * Runs one seed of a batch. Starts an execution, or takes over the execution of an earlier attempt
 * of the job. Then follows the execution, fetches the files and records how the run ended.
 */
import { messageOf } from '../../errors.ts'
import { HttpError } from '../../service/errors.ts'
import {
  begin,
  earlierOutcome,
  runToCheck,
  runToTakeOver,
  type Begin,
  type Recorded,
} from '../begin.ts'
import type { Conclusion } from '../conclusion.ts'
import type { RunEvent } from '../events.ts'
import { executionIdOf, lostResultOf, type End, type Execution, type RunReport } from '../report.ts'
import { followRun, type RunEnv } from '../run.ts'
import { nothingSeen, proofIn, type Seen } from '../seen.ts'
import { maxLastCheck } from '../watch.ts'
import type { BatchSeed, RunRecord, StopCause } from './batch.ts'
import { concludeRun, pathsOf } from './run-record.ts'
import { RunSlot, type Shared } from './shared.ts'

/** What a run adds to its record when it is done. */
type RunEnd = Pick<RunRecord, 'executionId' | 'conclusion' | 'attempts' | 'resumed' | 'failsStep'> &
  Partial<RunRecord> & { report?: RunReport }

export class SeedRun {
  readonly slot: RunSlot
  readonly #seed: BatchSeed
  readonly #recorded: Recorded
  readonly #shared: Shared
  readonly #env: RunEnv
  /** The executions of earlier attempts of the job that this step replaces. */
  #replaced: RunRecord['attempts'] = []
  /** The newest execution of the run. Undefined if no execution is known. */
  #executionId: string | undefined

  constructor(seed: BatchSeed, recorded: Recorded, shared: Shared) {
    this.#seed = seed
    this.#recorded = recorded
    this.#shared = shared
    this.slot = new RunSlot(shared)
    this.#env = this.#makeEnv()
  }

  /** Starts or takes over an execution, follows it to its end, and records the run. */
  async follow(): Promise<void> {
    let end: RunEnd
    try {
      end = await this.#followToEnd()
    } catch (error) {
      // An internal error in this run does not stop other runs. The outcome is recorded as unknown,
      // because this run may have been started.
      end = this.#failed(error)
    }
    this.#record(end)
  }

  /** Records a run that got no slot. An earlier execution may still be running. */
  recordUnstarted(): void {
    const open = runToTakeOver(this.#recorded, this.#shared.plan.mode)
    if (open) this.#found(open.executionId)
    this.#record(open ? this.#unfinished(open.executionId) : this.#unstarted())
  }

  async #followToEnd(): Promise<RunEnd> {
    const { plan } = this.#shared
    const { deadline, pollInterval, retries, retryOn, target } = plan
    const begun = await this.#decideBegin()
    const isAnswered = begun.kind === 'start' || proofIn(begun.seen)?.kind === 'finished'
    if (!isAnswered && deadline.signal.aborted) {
      return this.#unfinished(begun.executionId, begun.seen)
    }
    const spec = { begun, target, pollInterval, deadline, retries, retryOn }
    const report = await followRun({ ...spec, lastCheck: maxLastCheck }, this.#env, this.#emit)
    return this.#reported(begun, report)
  }

  async #decideBegin(): Promise<Begin> {
    const { mode, deadline } = this.#shared.plan
    const known = runToCheck(this.#recorded, mode)
    if (known) this.#found(known.executionId)
    const purpose = 'follow'
    const begun = await begin(this.#recorded, { mode, purpose, deadline }, this.#env, this.#emit)
    if (known && begun.kind === 'start') {
      const { executionId } = known
      const outcome = earlierOutcome(known, begun.seen)
      this.#replaced = [{ executionId, conclusion: outcome ?? 'unknown' }]
      this.#executionId = undefined
      // The new run begins with its own start, and not with the checks of the earlier execution.
      this.slot.startedAt = undefined
      this.#shared.emit({ kind: 'replaced', seed: this.#seed, earlier: { executionId, outcome } })
    }
    return begun
  }

  #makeEnv(): RunEnv {
    const { env, service, downloads } = this.#shared
    const caller = { seed: this.#seed, slot: this.slot }
    return {
      start: (signal, whileConnecting) => service.start(caller, signal, whileConnecting),
      check: (executionId, signal) => service.check(caller, executionId, signal),
      // Only the deadline of the step ends the tries. The step follows its other runs until then.
      maxStartTime: Infinity,
      store: env.store,
      clock: env.clock,
      random: env.random,
      cancelled: env.cancelled,
      readCause: env.readCause,
      validate: env.validate,
      makeFolder: () => env.makeFolder(this.#seed),
      removeFolder: env.removeFolder,
      minPause: () => service.pauseFor(this.#shared.running),
      turn: (cancelled, work) => downloads.within(cancelled, work),
    }
  }

  readonly #emit = (event: RunEvent): void => {
    if (event.kind === 'started') {
      this.#found(event.executionId)
      return
    }
    if (event.kind === 'ended') {
      this.slot.leave()
      if (event.isFinal) this.#settle(concludeRun(event.end))
    }
    this.#shared.emit({ kind: 'run', seed: this.#seed, event })
  }

  /** Saves the id of an execution of this run, and reports the id. */
  #found(executionId: string): void {
    this.#executionId = executionId
    this.slot.markStart()
    this.#shared.emit({ kind: 'found', seed: this.#seed, executionId })
  }

  /** Frees the slot, and stops the batch if this conclusion does so (`fail-fast`). */
  #settle(conclusion: Conclusion): void {
    const { stop, plan } = this.#shared
    this.slot.leave()
    if (plan.failFast && plan.failsStep(conclusion)) {
      stop.now('fail-fast')
    }
  }

  #reported(begun: Begin, report: RunReport): RunEnd {
    const { env } = this.#shared
    const { end } = report
    const conclusion = concludeRun(end)
    const stopReason = this.#stopReason(end, conclusion)
    // If the timeout ran out during a Retry-After, the answer of the service explains the end.
    const isHeld =
      stopReason === 'timed-out' && 'failure' in end && end.failure instanceof HttpError
    const { followed, ...described } = env.describe(report)
    const isExplained = stopReason === undefined || isHeld
    // A missing result fails the step even if the run succeeded, because later steps need the
    // result.
    const isResultMissing = lostResultOf(end) !== undefined
    const resumed = begun.kind === 'take-over'
    // The times are unknown if the execution ended before this step's first check.
    const isTimeUnknown = resumed && proofIn(begun.seen)?.kind === 'finished'
    return {
      executionId: executionIdOf(end),
      conclusion,
      attempts: report.executions.map(pickEnd),
      resumed,
      startedAt: isTimeUnknown ? undefined : this.slot.startedAt,
      endedAt: isTimeUnknown ? undefined : this.slot.endedAt,
      cause: isExplained ? described.cause : undefined,
      advice: isExplained ? described.advice : undefined,
      followed,
      stopReason,
      failsStep: isResultMissing || this.#failsStep(conclusion, stopReason),
      ...pathsOf(report, env.folder),
      report,
    }
  }

  /** Returns the end of a run whose earlier execution may be running and is no longer watched. */
  #unfinished(executionId: string, seen?: Seen): RunEnd {
    const { env, plan } = this.#shared
    const conclusion = env.cancelled.aborted ? 'cancelled' : 'timed-out'
    const now = env.clock.date()
    const { advice } = env.describe({
      target: plan.target,
      end: { kind: conclusion, executionId, seen: seen ?? nothingSeen },
      executions: [],
      watched: 'a-part',
      startedOn: now,
      finishedOn: now,
      duration: 0,
    })
    return {
      ...this.#unstarted(conclusion),
      executionId,
      attempts: [{ executionId, conclusion }],
      resumed: true,
      cause: seen?.failure && this.#words(seen.failure),
      advice,
    }
  }

  #unstarted(conclusion: Conclusion = 'not-started'): RunEnd {
    const stopReason = this.#shared.stop.cause ?? 'timed-out'
    const failsStep = this.#failsStep(conclusion, stopReason)
    return {
      executionId: undefined,
      conclusion,
      attempts: [],
      resumed: false,
      stopReason,
      failsStep,
    }
  }

  #failed(error: unknown): RunEnd {
    const executionId = this.#executionId
    const conclusion = 'unknown'
    return {
      executionId,
      conclusion,
      attempts: executionId === undefined ? [] : [{ executionId, conclusion }],
      resumed: false,
      cause: this.#words(error),
      failsStep: true,
    }
  }

  /** Returns the reason for the stop of the batch, if the stop prevented the start of this run. */
  #stopReason(end: End, conclusion: Conclusion): StopCause | undefined {
    if (conclusion !== 'not-started' || !('failure' in end)) return undefined
    const { stop } = this.#shared
    return stop.explains(end.failure) ? stop.cause : undefined
  }

  #failsStep(conclusion: Conclusion, stopReason: StopCause | undefined): boolean {
    // For the input `fail-on`, a run that the timeout prevented counts as timed out.
    const isLate = conclusion === 'not-started' && stopReason === 'timed-out'
    return this.#shared.plan.failsStep(isLate ? 'timed-out' : conclusion)
  }

  #words(failure: unknown): string {
    return this.#shared.env.showWords(messageOf(failure))
  }

  #record({ report, ...end }: RunEnd): void {
    const shared = this.#shared
    const { index, label } = this.#seed
    this.#settle(end.conclusion)
    const { startedAt, endedAt } = this.slot
    const attempts = [...this.#replaced, ...end.attempts]
    const record = { startedAt, endedAt, cause: undefined, ...end, index, label, attempts }
    this.slot.close()
    shared.records.push(record)
    shared.emit({ kind: 'done', seed: this.#seed, record, report })
  }
}

function pickEnd({ executionId, conclusion }: Execution): RunRecord['attempts'][number] {
  return { executionId, conclusion }
}
