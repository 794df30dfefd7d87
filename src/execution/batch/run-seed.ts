/**
 * Runs one seed of a batch. Starts an execution, or takes over the execution of an earlier attempt
 * of the job. Then follows the execution, fetches the files and adds a row to the batch.
 */
import { messageOf } from '../../errors.ts'
import { HttpError, refusesCredentials } from '../../service/errors.ts'
import {
  begin,
  earlierOutcome,
  runToCheck,
  runToContinue,
  type Begin,
  type Recorded,
} from '../begin.ts'
import type { NotAccepted } from '../../service/send-at-most-once.ts'
import type { Conclusion } from '../conclusion.ts'
import type { RunEvent } from '../events.ts'
import { conclusionOf, lostResultOf, type End, type RunReport, type WatchEnd } from '../report.ts'
import type { Row } from '../row.ts'
import { followRun, type RunEnv } from '../run.ts'
import { nothingSeen, proofIn, type Seen } from '../seen.ts'
import { stopWords, type BatchEnv, type BatchPlan, type BatchRow } from './batch.ts'
import type { BatchSeed, EmitBatch, StopReason } from './batch.ts'
import type { RequestGate } from './request-gate.ts'
import type { Semaphore } from './semaphore.ts'
import { RunSlot, type Slots } from './slots.ts'
import type { Stop } from './stop.ts'

/** What all runs of a batch share. */
export interface Batch {
  plan: BatchPlan
  env: BatchEnv
  emitBatch: EmitBatch
  stop: Stop
  gate: RequestGate
  slots: Slots
  downloads: Semaphore
  /** All finished runs, in the order in which they finished. */
  rows: BatchRow[]
}

/** The report is undefined if the step did not follow the run. */
interface Ended {
  row: BatchRow
  report?: RunReport
}

export class SeedRun {
  readonly slot: RunSlot
  readonly #seed: BatchSeed
  readonly #recorded: Recorded
  readonly #batch: Batch
  /** What following this run needs. */
  readonly #gatedEnv: RunEnv
  /** The newest execution of the run. Undefined if no execution is known. */
  #executionId: string | undefined
  /** True if an earlier attempt of the job started this execution. */
  #resumed = false
  /** The number of executions of an earlier attempt of the job that this step replaces. */
  #replaced = 0

  constructor(seed: BatchSeed, recorded: Recorded, batch: Batch) {
    this.#seed = seed
    this.#recorded = recorded
    this.#batch = batch
    this.slot = new RunSlot(batch.slots)
    this.#gatedEnv = this.#gateRequests()
  }

  /** Makes the requests of this run wait for their turn in the batch. */
  #gateRequests(): RunEnv {
    const { env, gate, slots, downloads } = this.#batch
    return {
      ...env,
      sendStart: (untilAnswered, untilConnected) =>
        gate.startInTurn(this.slot, () => env.sendStart(this.#seed, untilAnswered, untilConnected)),
      // The tries go on until the batch stops, because the step follows its other runs until then.
      maxStartTime: Infinity,
      sendCheck: (executionId, signal) =>
        gate.checkInTurn(this.slot, signal, () => env.sendCheck(executionId, signal)),
      minPause: () => gate.pauseFor(slots.running),
      makeFolder: () => env.makeFolder(this.#seed),
      withinDownloadLimit: (cancelled, work) => downloads.within(cancelled, work),
    }
  }

  /** Starts or takes over an execution, and follows it to its end. */
  async follow(): Promise<void> {
    // An internal error while this run is followed does not stop other runs. The conclusion is
    // `unknown`, because this run may have been started.
    const failed = (error: unknown) => ({ row: this.#failedRow(error) })
    this.#finish(await this.#followToEnd().catch(failed))
  }

  async #followToEnd(): Promise<Ended> {
    const { deadline, pollInterval, retrying, target } = this.#batch.plan
    const begun = await this.#begin()
    const isOpen = begun.kind === 'take-over' && !isFinished(begun.seen)
    // After the deadline, `followRun` would make no check. This row names why the batch stopped.
    if (isOpen && deadline.signal.aborted) {
      return { row: this.#unfinishedRow(begun.executionId, begun.seen) }
    }
    const spec = { begun, target, pollInterval, deadline, retrying }
    const report = await followRun(spec, this.#gatedEnv, this.#onRunEvent)
    return { row: this.#reportedRow(report), report }
  }

  /** Decides whether the run begins with a new start or takes over the recorded execution. */
  async #begin(): Promise<Begin> {
    const { mode, deadline } = this.#batch.plan
    // A run that failed is checked too, because a new start needs an answer that confirms the end.
    const known = runToCheck(this.#recorded, mode)
    if (known) this.#know(known.executionId)
    const asked = { mode, purpose: 'follow', deadline } as const
    const begun = await begin(this.#recorded, asked, this.#gatedEnv, this.#onRunEvent)
    if (begun.kind === 'take-over') {
      this.#resumed = true
      // The times of an execution that has ended are not known.
      if (!isFinished(begun.seen)) this.slot.markStart(begun.since.at)
    }
    if (known && begun.kind === 'start') {
      const { executionId } = known
      const outcome = earlierOutcome(known, begun.seen)
      this.#replaced = 1
      this.#executionId = undefined
      this.#batch.emitBatch({
        kind: 'replaced',
        seed: this.#seed,
        earlier: { executionId, outcome },
      })
    }
    return begun
  }

  readonly #onRunEvent = (event: RunEvent): void => {
    if (event.kind === 'started') {
      this.slot.markStart(this.#batch.env.clock.now())
      this.#know(event.executionId)
      return
    }
    if (event.kind === 'ended') {
      this.slot.release()
      this.#noteRefusal(event.end)
    }
    if ((event.kind === 'ended' || event.kind === 'collected') && !event.isRetryDue) {
      this.#stopIf(this.#batch.plan.isFailing(concludeRun(event.end)))
    }
    this.#batch.emitBatch({ kind: 'run', seed: this.#seed, event })
  }

  /** Notes that a re-run needs other credentials, if a 401 ended the checks of this run. */
  #noteRefusal(end: WatchEnd | NotAccepted): void {
    const isRefused = end.kind === 'lost' && end.why === 'credentials' && end.failure.status === 401
    this.#batch.stop.needsOtherCredentials ||= isRefused
  }

  /** Keeps the id of the newest execution of this run, and emits the id. */
  #know(executionId: string): void {
    this.#executionId = executionId
    this.#batch.emitBatch({ kind: 'execution-known', seed: this.#seed, executionId })
  }

  /** Ends a run that got no slot. An earlier execution may still be running. */
  leaveUnstarted(): void {
    const earlier = runToContinue(this.#recorded, this.#batch.plan.mode)
    if (!earlier) {
      this.#finish({ row: this.#unstartedRow() })
      return
    }
    const { executionId } = earlier
    this.#resumed = true
    this.#batch.emitBatch({ kind: 'execution-known', seed: this.#seed, executionId })
    this.#finish({ row: this.#unfinishedRow(executionId, nothingSeen) })
  }

  #finish({ row, report }: Ended): void {
    // Only the row knows a lost result, and the end of a run that was not followed.
    this.#stopIf(row.failsStep)
    this.slot.endPending()
    this.#batch.rows.push(row)
    this.#batch.emitBatch({ kind: 'done', seed: this.#seed, row, report })
  }

  /** Stops the batch if a run fails the step and the batch is to stop then (`fail-fast`). */
  #stopIf(isFailing: boolean): void {
    if (isFailing && this.#batch.plan.failFast) this.#batch.stop.stopStarts('fail-fast')
  }

  /** Returns the row of a run that this step followed to an end. */
  #reportedRow(report: RunReport): BatchRow {
    const { env } = this.#batch
    const { end } = report
    const facts = { ...env.rowOf(report), conclusion: concludeRun(end) }
    const stopReason = this.#whyPrevented(end, facts.conclusion)
    // If the timeout ran out during a Retry-After, the answer of the service explains the end.
    const isHeld =
      stopReason === 'timed-out' && 'failure' in end && end.failure instanceof HttpError
    if (stopReason !== undefined && !isHeld) {
      return this.#batchRow({ ...facts, cause: stopWords[stopReason] }, undefined, stopReason)
    }
    const row = this.#batchRow(facts, env.nextStepAfter(end), stopReason)
    // A lost result fails the step even if the run succeeded, because later steps need the result.
    return { ...row, failsStep: row.failsStep || lostResultOf(end) !== undefined }
  }

  /** Returns the reason for the stop of the batch, if the stop prevented the start of this run. */
  #whyPrevented(end: End, conclusion: Conclusion): StopReason | undefined {
    if (conclusion !== 'not-started' || !('failure' in end)) return undefined
    return this.#batch.stop.reasonFor(end.failure)
  }

  /** Returns the row of a run whose earlier execution may be running and is no longer watched. */
  #unfinishedRow(executionId: string, seen: Seen): BatchRow {
    const { env, stop } = this.#batch
    const kind = env.cancelled.aborted ? 'cancelled' : 'timed-out'
    const cause = seen.failure ? messageOf(seen.failure) : stopWords[stop.reason ?? 'timed-out']
    const facts = env.rowOf({ executionId, conclusion: kind, cause })
    return this.#batchRow(facts, env.nextStepAfter({ kind, executionId, seen }))
  }

  #unstartedRow(): BatchRow {
    const { env, stop } = this.#batch
    const reason = stop.reason ?? 'timed-out'
    const conclusion = 'not-started'
    const facts = env.rowOf({ executionId: undefined, conclusion, cause: stopWords[reason] })
    return this.#batchRow(facts, undefined, reason)
  }

  #failedRow(error: unknown): BatchRow {
    const executionId = this.#executionId
    const cause = messageOf(error)
    return this.#batchRow(this.#batch.env.rowOf({ executionId, conclusion: 'unknown', cause }))
  }

  /** Adds what only a batch knows to the facts of a run. `stopReason`: why it was not started. */
  #batchRow(facts: Row, advice?: string, stopReason?: StopReason): BatchRow {
    const { index, label } = this.#seed
    // A run without the event `ended` still has its slot, for example after an internal error.
    this.slot.release()
    const { startedAt, duration } = this.slot
    // For the input `fail-on`, a run that the timeout prevented counts as timed out.
    const judgedAs = stopReason === 'timed-out' ? 'timed-out' : facts.conclusion
    return {
      index,
      label,
      facts: {
        ...facts,
        // `attempts` counts executions. The slot knows the duration of the whole run.
        attempts: this.#replaced + facts.attempts,
        duration_seconds: duration === undefined ? null : Math.round(duration / 1000),
      },
      resumed: this.#resumed,
      startedAt,
      duration,
      advice,
      failsStep: this.#batch.plan.isFailing(judgedAs),
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
