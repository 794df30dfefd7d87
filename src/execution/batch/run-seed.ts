/**
 * Runs one seed of a batch. Starts an execution, or takes over the execution of an earlier attempt
 * of the job. Then follows the execution, fetches the files and adds a row to the batch.
 */
import type { StartAnswer } from '../../service/contract.ts'
import type { NotAccepted } from '../../service/send-at-most-once.ts'
import { uuidOf } from '../../service/names.ts'
import { refusesCredentials, ServiceError } from '../../service/service-errors.ts'
import {
  begin,
  runToTakeOver,
  type EarlierExecution,
  type EarlierRun,
  type Replaced,
} from '../begin.ts'
import type { RunEvent } from '../events.ts'
import { followRun, type RunEnv } from '../follow-run.ts'
import { conclusionOf, type RunReport, type WatchEnd } from '../report.ts'
import { nothingSeen, proofIn } from '../seen.ts'
import type { BatchState } from './batch-state.ts'
import type { BatchRow, BatchSeed } from './batch-types.ts'
import { failedRow, followedRow, unfinishedRow, unstartedRow, type RunFacts } from './seed-row.ts'
import { RunSlot } from './slots.ts'

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
  /** The execution of an earlier attempt that this step follows, unless the service says otherwise. */
  readonly toTakeOver: EarlierExecution | undefined
  readonly #seed: BatchSeed
  readonly #recorded: EarlierRun
  readonly #batch: BatchState
  /** The newest execution of the run. Undefined if no execution is known. */
  #executionId: string | undefined
  /** True if an earlier attempt of the job started the first execution. */
  #isTakenOver = false
  #othersRan = false
  #replaced = 0
  /** How long the run took, if it had succeeded in an earlier attempt. */
  #keptDuration: number | undefined

  constructor(seed: BatchSeed, batch: BatchState) {
    this.#seed = seed
    this.#batch = batch
    this.#recorded = batch.plan.recorded(seed)
    this.toTakeOver = runToTakeOver(this.#recorded, batch.plan.mode)
    this.slot = new RunSlot(batch.slots)
  }

  /** Follows the run to its end, and adds its row to the batch. A run without a slot is not started. */
  async follow(hasSlot: boolean): Promise<void> {
    // An internal error while this run is followed does not stop other runs.
    const failed = (error: unknown) => ({
      row: failedRow(error, this.#executionId, this.#endRun(), this.#batch),
    })
    const { row, report }: Ended = hasSlot
      ? await this.#followToEnd().catch(failed)
      : { row: this.#leaveUnstarted() }
    // Only the row knows a lost result, and the end of a run that was not followed.
    this.#stopIf(row.failsStep)
    this.#batch.rows.push(row)
    this.#batch.emitBatch({ kind: 'done', seed: this.#seed, row, report })
  }

  async #followToEnd(): Promise<Ended> {
    const { deadline, mode, pollInterval, retrying, target } = this.#batch.plan
    const env = this.#gateRequests()
    const asked = { mode, purpose: 'follow', deadline } as const
    const beginning = await begin(this.#recorded, asked, env, this.#onRunEvent)
    const takenOver = beginning.kind === 'take-over' ? beginning : undefined
    if (beginning.kind === 'start' && beginning.replaced) this.#replace(beginning.replaced)
    this.#isTakenOver = takenOver !== undefined
    this.#keptDuration = takenOver?.ownTimes?.duration
    if (takenOver && proofIn(takenOver.seen)?.kind !== 'finished') {
      const { executionId, seen, since } = takenOver
      // An execution that has ended did not run in this attempt.
      this.slot.markStart(since.at)
      // After the deadline, `followRun` would make no check. This row names why the batch stopped.
      if (deadline.signal.aborted) {
        return { row: unfinishedRow(executionId, seen, this.#endRun(), this.#batch) }
      }
    }
    const spec = { takenOver, target, pollInterval, deadline, retrying }
    const report = await followRun(spec, env, this.#onRunEvent)
    return { row: followedRow(report, this.#endRun(), this.#batch), report }
  }

  /** Returns the row of a run that got no slot. An earlier execution may still be running. */
  #leaveUnstarted(): BatchRow {
    const { stop } = this.#batch
    if (!this.toTakeOver) {
      return unstartedRow(stop.reason ?? 'timed-out', this.#endRun(), this.#batch)
    }
    const { executionId } = this.toTakeOver
    this.#isTakenOver = true
    this.#onRunEvent({ kind: 'recorded', executionId })
    return unfinishedRow(executionId, nothingSeen, this.#endRun(), this.#batch)
  }

  /** Makes the requests of this run wait for their turn in the batch. */
  #gateRequests(): RunEnv {
    const { env, gate, slots, stop, downloads } = this.#batch
    return {
      ...env,
      sendStart: (untilAnswered, untilConnected) =>
        gate.startInTurn(
          this.slot,
          () => env.sendStart(this.#seed, untilAnswered, untilConnected),
          this.#refuseTaken,
        ),
      noMoreStarts: stop.noMoreStarts,
      // A start is tried until the batch stops, because the step follows its other runs until then.
      maxStartTime: Infinity,
      sendCheck: (executionId, signal, purpose) =>
        gate.checkInTurn(purpose, signal, () => env.sendCheck(executionId, signal, purpose)),
      minPause: () => gate.pauseFor(slots.taken),
      makeFolder: () => env.makeFolder(this.#seed),
      withinDownloadLimit: (cancelled, work) => downloads.within(cancelled, work),
    }
  }

  /**
   * Throws if the answer to a start has the id of another run with a different seed: a service that
   * joins requests would make the result of that run the result of this run.
   */
  readonly #refuseTaken = ({ executionId }: StartAnswer): void => {
    const { owners, emitBatch } = this.#batch
    const id = comparable(executionId)
    const other = owners.get(id)
    if (other && other.text !== this.#seed.text) throw new SharedIdError(executionId, other)
    if (other) emitBatch({ kind: 'shared-execution', seed: this.#seed, other, executionId })
    owners.set(id, other ?? this.#seed)
  }

  #replace(earlier: Replaced): void {
    this.#replaced = 1
    this.#executionId = undefined
    this.#batch.emitBatch({ kind: 'replaced', seed: this.#seed, earlier })
  }

  readonly #onRunEvent = (event: RunEvent): void => {
    const { slots, plan, owners, env } = this.#batch
    if (event.kind === 'recorded' || event.kind === 'started') {
      this.#executionId = event.executionId
      const id = comparable(event.executionId)
      owners.set(id, owners.get(id) ?? this.#seed)
    }
    if (event.kind === 'started') this.slot.markStart(env.clock.now())
    if (event.kind === 'ended') {
      this.#release(event.end.kind === 'unclear' ? unclearFor : 0)
      this.#othersRan = slots.running > 0
      this.#stopIfRefused(event.end)
    }
    if ((event.kind === 'ended' || event.kind === 'collected') && !event.isRetryDue) {
      this.#stopIf(plan.isFailing(conclusionOf(event.end)))
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

  /** Stops the batch if a run fails the step and the batch is to stop then (`fail-fast`). */
  #stopIf(isFailing: boolean): void {
    if (isFailing && this.#batch.plan.failFast) this.#batch.stop.stopStarts('fail-fast')
  }

  /** Gives the slot back, and returns what the batch knows about the run. */
  #endRun(): RunFacts {
    // A run without the event `ended` still has its slot, for example after an internal error.
    this.#release()
    const { startedAt, duration = this.#keptDuration } = this.slot
    return {
      seed: this.#seed,
      isTakenOver: this.#isTakenOver,
      othersRan: this.#othersRan,
      replaced: this.#replaced,
      startedAt,
      duration,
    }
  }
}

/** Returns an id in one spelling. The service may spell the UUID of an execution in several ways. */
function comparable(executionId: string): string {
  return uuidOf(executionId) ?? executionId
}
