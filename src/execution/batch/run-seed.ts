/**
 * Runs one seed of a batch. Starts an execution, or takes over the execution of an earlier attempt
 * of the job. Then follows the execution, fetches the files and records how the run ended.
 */
import { messageOf } from '../../errors.ts'
import { HttpError, refusesCredentials } from '../../service/errors.ts'
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
import { conclusionOf, lostResultOf, type End, type RunReport, type WatchEnd } from '../report.ts'
import type { Row } from '../row.ts'
import { followRun, type RunEnv } from '../run.ts'
import { nothingSeen, proofIn, type Seen } from '../seen.ts'
import { maxLastCheck } from '../watch.ts'
import { stopWords, type BatchRow, type BatchSeed, type StopCause } from './batch.ts'
import { RunSlot, type Shared } from './shared.ts'

/** The report is undefined if the step did not follow the run. */
interface Ended {
  row: BatchRow
  report?: RunReport
}

export class SeedRun {
  readonly slot: RunSlot
  readonly #seed: BatchSeed
  readonly #recorded: Recorded
  readonly #shared: Shared
  readonly #env: RunEnv
  /** The newest execution of the run. Undefined if no execution is known. */
  #executionId: string | undefined
  /** True if an earlier attempt of the job started this execution. */
  #resumed = false
  /** The number of executions of an earlier attempt of the job that this step replaces. */
  #replaced = 0

  constructor(seed: BatchSeed, recorded: Recorded, shared: Shared) {
    this.#seed = seed
    this.#recorded = recorded
    this.#shared = shared
    this.slot = new RunSlot(shared)
    this.#env = this.#makeEnv()
  }

  /** Starts or takes over an execution, and follows it to its end. */
  async follow(): Promise<void> {
    // An internal error in this run does not stop other runs. The conclusion is `unknown`, because
    // this run may have been started.
    const failed = (error: unknown) => ({ row: this.#failed(error) })
    this.#finish(await this.#followToEnd().catch(failed))
  }

  async #followToEnd(): Promise<Ended> {
    const { deadline, pollInterval, retries, retryOn, target } = this.#shared.plan
    const begun = await this.#decideBegin()
    const isOpen = begun.kind === 'take-over' && !isFinished(begun.seen)
    if (isOpen && deadline.signal.aborted) {
      return { row: this.#unfinished(begun.executionId, begun.seen) }
    }
    const spec = { begun, target, pollInterval, deadline, retries, retryOn }
    const report = await followRun({ ...spec, lastCheck: maxLastCheck }, this.#env, this.#emit)
    return { row: this.#reported(report), report }
  }

  async #decideBegin(): Promise<Begin> {
    const { mode, deadline } = this.#shared.plan
    const known = runToCheck(this.#recorded, mode)
    if (known) this.#found(known.executionId)
    const purpose = 'follow'
    const begun = await begin(this.#recorded, { mode, purpose, deadline }, this.#env, this.#emit)
    this.#resumed = begun.kind === 'take-over'
    if (known && begun.kind === 'start') {
      const { executionId } = known
      const outcome = earlierOutcome(known, begun.seen)
      this.#replaced = 1
      this.#executionId = undefined
      this.#shared.emit({ kind: 'replaced', seed: this.#seed, earlier: { executionId, outcome } })
    }
    // The times of an earlier execution that has ended are not known. A new one has its own times.
    if (begun.kind === 'start' || isFinished(begun.seen)) this.slot.startedAt = undefined
    return begun
  }

  readonly #emit = (event: RunEvent): void => {
    if (event.kind === 'started') {
      this.#found(event.executionId)
      return
    }
    if (event.kind === 'ended') {
      this.slot.leave()
      const conclusion = concludeRun(event.end)
      if (event.isFinal) this.#stopIf(this.#shared.plan.failsStep(conclusion))
    }
    this.#shared.emit({ kind: 'run', seed: this.#seed, event })
  }

  /** Saves the id of an execution of this run, and reports the id. */
  #found(executionId: string): void {
    this.#executionId = executionId
    this.slot.markStart()
    this.#shared.emit({ kind: 'found', seed: this.#seed, executionId })
  }

  /** Ends a run that got no slot. An earlier execution may still be running. */
  leaveUnstarted(): void {
    const open = runToTakeOver(this.#recorded, this.#shared.plan.mode)
    if (!open) {
      this.#finish({ row: this.#unstarted() })
      return
    }
    const { executionId } = open
    this.#shared.emit({ kind: 'found', seed: this.#seed, executionId })
    this.#finish({ row: this.#unfinished(executionId, nothingSeen) })
  }

  /** Returns the row of a run that this step followed to an end. */
  #reported(report: RunReport): BatchRow {
    const { env } = this.#shared
    const { end } = report
    const facts = { ...env.rowOf(report), conclusion: concludeRun(end) }
    const stopReason = this.#stopReason(end, facts.conclusion)
    // If the timeout ran out during a Retry-After, the answer of the service explains the end.
    const isHeld =
      stopReason === 'timed-out' && 'failure' in end && end.failure instanceof HttpError
    if (stopReason !== undefined && !isHeld) {
      return this.#row({ ...facts, cause: stopWords[stopReason] }, stopReason)
    }
    const row = this.#row(facts, stopReason, env.adviceOn(end))
    // A lost result fails the step even if the run succeeded, because later steps need the result.
    return { ...row, failsStep: row.failsStep || lostResultOf(end) !== undefined }
  }

  /** Returns the row of a run whose earlier execution may be running and is no longer watched. */
  #unfinished(executionId: string, seen: Seen): BatchRow {
    const { env, stop } = this.#shared
    const conclusion = env.cancelled.aborted ? 'cancelled' : 'timed-out'
    const stopReason = stop.cause ?? 'timed-out'
    const cause = seen.failure ? messageOf(seen.failure) : stopWords[stopReason]
    const facts = env.rowOf({ executionId, conclusion, cause })
    const advice = env.adviceOn({ kind: conclusion, executionId, seen })
    return { ...this.#row(facts, stopReason, advice), resumed: true }
  }

  #unstarted(): BatchRow {
    const { env, stop } = this.#shared
    const stopReason = stop.cause ?? 'timed-out'
    const cause = stopWords[stopReason]
    const facts = env.rowOf({ executionId: undefined, conclusion: 'not-started', cause })
    return this.#row(facts, stopReason)
  }

  #failed(error: unknown): BatchRow {
    const executionId = this.#executionId
    const cause = messageOf(error)
    return this.#row(this.#shared.env.rowOf({ executionId, conclusion: 'unknown', cause }))
  }

  /** Returns the reason for the stop of the batch, if the stop prevented the start of this run. */
  #stopReason(end: End, conclusion: Conclusion): StopCause | undefined {
    if (conclusion !== 'not-started' || !('failure' in end)) return undefined
    const { stop } = this.#shared
    return stop.explains(end.failure) ? stop.cause : undefined
  }

  /** Adds what only a batch knows to the facts of a run. */
  #row(facts: Row, stopReason?: StopCause, advice?: string): BatchRow {
    const { index, label } = this.#seed
    this.slot.leave()
    const { startedAt, duration } = this.slot
    // For the input `fail-on`, a run that the timeout prevented counts as timed out.
    const isLate = facts.conclusion === 'not-started' && stopReason === 'timed-out'
    return {
      index,
      label,
      facts: {
        ...facts,
        attempts: this.#replaced + facts.attempts,
        duration_seconds: duration === undefined ? null : Math.round(duration / 1000),
      },
      resumed: this.#resumed,
      startedAt,
      duration,
      advice,
      stopReason,
      failsStep: this.#shared.plan.failsStep(isLate ? 'timed-out' : facts.conclusion),
    }
  }

  #finish({ row, report }: Ended): void {
    const shared = this.#shared
    this.#stopIf(row.failsStep)
    this.slot.close()
    shared.rows.push(row)
    shared.emit({ kind: 'done', seed: this.#seed, row, report })
  }

  /** Stops the batch if a run fails the step and the batch is to stop then (`fail-fast`). */
  #stopIf(failsStep: boolean): void {
    if (failsStep && this.#shared.plan.failFast) this.#shared.stop.now('fail-fast')
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
}

/** Returns the conclusion of a run of a batch. */
function concludeRun(end: End | WatchEnd): Conclusion {
  // Refused credentials say nothing about this run, so the run counts as not started.
  const isPrevented = end.kind === 'refused' && refusesCredentials(end.failure)
  return isPrevented ? 'not-started' : conclusionOf(end)
}

function isFinished(seen: Seen): boolean {
  return proofIn(seen)?.kind === 'finished'
}
