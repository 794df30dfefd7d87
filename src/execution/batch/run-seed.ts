/**
 * Runs one seed of a batch. Starts an execution, or takes over the execution of an earlier attempt
 * of the job. Then follows the execution, fetches the files and adds a row to the batch.
 */
import { messageOf } from '../../errors.ts'
import type { StartAnswer } from '../../service/contract.ts'
import { HttpError, refusesCredentials, ServiceError } from '../../service/service-errors.ts'
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
import { followRun, type RunEnv } from '../follow-run.ts'
import { nothingSeen, proofIn, type Seen } from '../seen.ts'
import { stopWords, type BatchEnv, type BatchPlan, type BatchRow } from './batch-types.ts'
import type { BatchSeed, EmitBatch, StopReason } from './batch-types.ts'
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
  /** The seeds whose runs have these executions. */
  owners: Map<string, BatchSeed>
  /** All finished runs, in the order in which they finished. */
  rows: BatchRow[]
}

/** The report is undefined if the step did not follow the run. */
interface Ended {
  row: BatchRow
  report?: RunReport
}

/** How long an unclear start keeps its slot, in milliseconds, because its run may exist. */
export const unclearFor = 60_000

/** The answer to a start has the id of another run. So it is not clear which run was started. */
class SharedIdError extends ServiceError {
  constructor(executionId: string, { number, label }: BatchSeed) {
    const name = label === undefined ? '' : ` (${label})`
    super(`the service named execution ${executionId}, which run ${number}${name} already has`)
  }
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
  /** True if other runs were running when the newest execution or its start ended. */
  #othersRan = false
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
    const { env, gate, slots, stop, downloads } = this.#batch
    return {
      ...env,
      sendStart: (untilAnswered, untilConnected) =>
        gate.startInTurn(this.slot, async () =>
          this.#unlessTaken(await env.sendStart(this.#seed, untilAnswered, untilConnected)),
        ),
      noMoreStarts: stop.noMoreStarts,
      // The tries go on until the batch stops, because the step follows its other runs until then.
      maxStartTime: Infinity,
      sendCheck: (executionId, signal) =>
        gate.checkInTurn(this.slot, signal, () => env.sendCheck(executionId, signal)),
      minPause: () => gate.pauseFor(slots.running),
      makeFolder: () => env.makeFolder(this.#seed),
      withinDownloadLimit: (cancelled, work) => downloads.within(cancelled, work),
    }
  }

  /**
   * Returns the answer to a start. Throws if it has the id of another run with a different seed: a
   * service that joins requests would make the result of that run the result of this run.
   */
  #unlessTaken(answer: StartAnswer): StartAnswer {
    const { owners, emitBatch } = this.#batch
    const { executionId } = answer
    const other = owners.get(executionId)
    if (other && other.text !== this.#seed.text) throw new SharedIdError(executionId, other)
    if (other) emitBatch({ kind: 'shared-execution', seed: this.#seed, other, executionId })
    owners.set(executionId, other ?? this.#seed)
    return answer
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
      this.#release(event.end.kind === 'unclear' ? unclearFor : 0)
      this.#othersRan = this.#batch.slots.running > 0
      this.#stopIfRefused(event.end)
    }
    if ((event.kind === 'ended' || event.kind === 'collected') && !event.isRetryDue) {
      this.#stopIf(this.#batch.plan.isFailing(concludeRun(event.end)))
    }
    this.#batch.emitBatch({ kind: 'run', seed: this.#seed, event })
  }

  /** Gives the slot back after `span` milliseconds, and lets other runs start. */
  #release(span = 0): void {
    this.slot.release(span)
    this.#batch.gate.endRun(this.slot)
  }

  /**
   * Stops the batch if the service refused the credentials for good. A run whose checks were refused
   * after the credentials had been accepted does not stop the starts of the others.
   */
  #stopIfRefused(end: WatchEnd | NotAccepted): void {
    if (end.kind !== 'refused' && end.kind !== 'lost') return
    const { failure } = end
    if (!refusesCredentials(failure)) return
    const { stop } = this.#batch
    stop.needsOtherCredentials ||= failure.status === 401
    if (end.kind === 'refused' || !failure.isProven) stop.stopStarts('credentials')
  }

  /** Keeps the id of the newest execution of this run, and emits the id. */
  #know(executionId: string): void {
    this.#executionId = executionId
    this.#batch.owners.set(executionId, this.#batch.owners.get(executionId) ?? this.#seed)
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
    const row = this.#batchRow(facts, env.nextStepAfter(end, this.#othersRan), stopReason)
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
    return this.#batchRow(facts, env.nextStepAfter({ kind, executionId, seen }, false))
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
    const { number, label } = this.#seed
    // A run without the event `ended` still has its slot, for example after an internal error.
    this.#release()
    const { startedAt, duration } = this.slot
    // For the input `fail-on`, a run that the timeout prevented counts as timed out.
    const judgedAs = stopReason === 'timed-out' ? 'timed-out' : facts.conclusion
    return {
      number,
      label,
      facts: {
        ...facts,
        // The slot knows the duration of the whole run.
        execution_count: this.#replaced + facts.execution_count,
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
