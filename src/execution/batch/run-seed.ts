/**
 * Runs one seed of a batch. Starts an execution, or takes over the execution of an earlier attempt
 * of the job. Then follows the execution, fetches the files and records how the run ended.
 */
import { messageOf } from '../../errors.ts'
import type { ExecutionService } from '../../service/client.ts'
import { HttpError } from '../../service/errors.ts'
import type { Conclusion } from '../conclusion.ts'
import type { ExecutionReport } from '../execution-report.ts'
import { probe, type ProbeResult } from '../probe.ts'
import {
  decide,
  earlierOutcome,
  needsProbe,
  type EarlierRun,
  type RerunDecision,
} from '../rerun.ts'
import { followWithRetries, type RetryListener } from '../retries.ts'
import type { BatchSeed, EarlierEnd, StopCause } from './batch.ts'
import {
  concludeRun,
  nothingRecorded,
  recordOf,
  reportedFacts,
  type RunEnd,
  type RunHistory,
  withReplaced,
  withReport,
} from './run-history.ts'
import { RunSlot, type Shared } from './shared.ts'

export class SeedRun {
  readonly slot: RunSlot
  readonly #seed: BatchSeed
  readonly #recorded: EarlierRun
  readonly #shared: Shared
  readonly #service: ExecutionService
  #history: RunHistory = nothingRecorded

  constructor(seed: BatchSeed, recorded: EarlierRun, shared: Shared) {
    this.#seed = seed
    this.#recorded = recorded
    this.#shared = shared
    this.slot = new RunSlot(shared)
    this.#service = shared.service.forRun({ seed, slot: this.slot })
  }

  /** Starts or takes over an execution, follows it to its end, and records the run. */
  async follow(): Promise<void> {
    const decision = await this.#decide()
    if (!decision) return
    let report: ExecutionReport
    try {
      report = await this.#followExecution(decision)
      this.#settle(this.#conclude(report))
    } catch (error) {
      // An internal error in this run does not stop other runs. The outcome is recorded as unknown,
      // because this run may have been started.
      await this.#fail(error)
      return
    }
    await this.#recordEnd(decision, report)
  }

  /** Records a run that this step did not start or follow. An earlier execution may be running. */
  async recordUnstarted(failure?: unknown): Promise<void> {
    const { collaborators, stop } = this.#shared
    const executionId = this.#mayStillRun()
    let conclusion: Conclusion = 'not-started'
    if (executionId !== undefined) {
      conclusion = collaborators.cancelled.aborted ? 'cancelled' : 'timed-out'
      if (this.#history.executionId === undefined) this.#found(executionId)
      this.#history = { ...this.#history, own: [{ executionId, conclusion }] }
    }
    this.#settle(conclusion)
    const stopReason = stop.cause ?? 'timed-out'
    await this.#record({
      executionId,
      resumed: executionId !== undefined,
      cause: failure === undefined ? undefined : this.#words(failure),
      stopReason,
      failsStep: this.#failsStep(stopReason),
    })
  }

  /** Returns how to begin the run, or undefined if the run has already been recorded. */
  async #decide(): Promise<RerunDecision | undefined> {
    const { onRerun, deadline } = this.#shared.plan
    const recorded = this.#recorded
    if (!needsProbe(recorded, onRerun)) return decide('waits', recorded, undefined, onRerun)
    const { executionId } = recorded
    let probed: ProbeResult
    try {
      this.#found(executionId)
      probed = await this.#probe(executionId)
    } catch (error) {
      await this.#fail(error)
      return undefined
    }
    const decision = decide('waits', recorded, probed, onRerun)
    if (decision.action === 'start') {
      this.#replace({ executionId, conclusion: earlierOutcome(recorded, probed) })
    } else if (!decision.ending && deadline.signal.aborted) {
      await this.recordUnstarted('failure' in probed ? probed.failure : undefined)
      return undefined
    }
    return decision
  }

  #probe(executionId: string): Promise<ProbeResult> {
    const { collaborators, plan } = this.#shared
    const { clock, random, cancelled } = collaborators
    const { deadline } = plan
    const listener = this.#listener()
    const service = this.#service
    return probe(executionId, { service, clock, random, cancelled, deadline, listener })
  }

  /** Returns the id of the earlier execution, unless this step would start a new execution. */
  #mayStillRun(): string | undefined {
    const recorded = this.#recorded
    if (!needsProbe(recorded, this.#shared.plan.onRerun)) return undefined
    const hasFailed = recorded.kind !== 'started' && recorded.conclusion !== 'success'
    const wasAsked = this.#history.executionId !== undefined
    return hasFailed && !wasAsked ? undefined : recorded.executionId
  }

  #replace(earlier: EarlierEnd): void {
    this.#history = withReplaced(this.#history, earlier)
    // The new run begins with its own start, and not with the checks of the earlier execution.
    this.slot.startedAt = undefined
    this.#shared.listener.onStartedAnew(this.#seed, earlier)
  }

  async #followExecution(decision: RerunDecision): Promise<ExecutionReport> {
    const shared = this.#shared
    const { plan, collaborators, service, downloads } = shared
    const { request, pollInterval, deadline, retries, retryOn } = plan
    const begin = decision.action === 'start' ? request : decision
    return followWithRetries(
      { begin, request, pollInterval, deadline, retries, retryOn },
      {
        // Only the deadline of the step ends the tries. The step follows its other runs until then.
        maxStartTime: Infinity,
        service: this.#service,
        store: collaborators.store,
        clock: collaborators.clock,
        random: collaborators.random,
        cancelled: collaborators.cancelled,
        readLogEnd: collaborators.readLogEnd,
        checkResult: collaborators.checkResult,
        makeFolder: () => collaborators.makeFolder(this.#seed),
        removeFolder: collaborators.removeFolder,
        minPause: () => service.pauseFor(shared.running),
        turn: (cancelled, work) => downloads.within(cancelled, work),
      },
      this.#listener(),
    )
  }

  #listener(): RetryListener {
    const { listener } = this.#shared
    const seed = this.#seed
    return {
      onStartRetry: (error, pause) => listener.onStartRetry(seed, error, pause),
      onStarted: ({ executionId }) => this.#found(executionId),
      onWait: () => undefined,
      onStatus: () => undefined,
      onCheck: (_, state, pause) => this.#shared.checked(seed, state, pause),
      onEnding: (report) => {
        this.#history = withReport(this.#history, report)
        this.slot.leave()
      },
      onDownload: (event) => listener.onDownload(seed, event),
      onSettled: (report) => this.#settle(this.#conclude(report)),
      onRetry: (report, pause) => listener.onRetry(seed, report, pause),
    }
  }

  /** Saves the id of an execution of this run, and informs the listener. */
  #found(executionId: string): void {
    this.#history = { ...this.#history, executionId }
    this.slot.begin()
    this.#shared.listener.onStarted(this.#seed, executionId)
  }

  #conclude(report: ExecutionReport): Conclusion {
    this.#history = withReport(this.#history, report)
    return concludeRun(report)
  }

  /** Sets the final conclusion of the run, and frees the slot. Later calls change nothing. */
  #settle(conclusion: Conclusion): void {
    if (this.#history.conclusion !== undefined) return
    const { stop, plan } = this.#shared
    this.#history = { ...this.#history, conclusion }
    this.slot.leave()
    if (plan.failFast && plan.failsStep(conclusion)) {
      stop.now('fail-fast')
    }
  }

  async #recordEnd(decision: RerunDecision, report: ExecutionReport): Promise<void> {
    const { collaborators } = this.#shared
    const { ending, files } = report
    const stopReason = this.#stopReason(report)
    const isStarted = ending.kind !== 'not-started' && ending.kind !== 'unknown-start'
    const { executionId, conclusion } = this.#history
    const resumed = decision.action !== 'start'
    // If the timeout ran out during a Retry-After, the answer of the service explains the end.
    const isHeld =
      stopReason === 'timed-out' && 'failure' in ending && ending.failure instanceof HttpError
    const { followed, ...described } = collaborators.describe(report)
    const { cause, advice } =
      stopReason === undefined || isHeld ? described : { cause: undefined, advice: undefined }
    // A missing result fails the step even if the run succeeded, because later steps need the
    // result.
    const isResultMissing = conclusion === 'success' && files?.result.kind === 'unavailable'
    const end = {
      // If the start was not accepted, the id in the history is from an earlier execution.
      executionId: isStarted ? executionId : undefined,
      resumed,
      isTimeUnknown: resumed && decision.ending !== undefined,
      cause,
      stopReason,
      failsStep: isResultMissing || this.#failsStep(stopReason),
      reported: reportedFacts(report, { advice, followed }, collaborators.folder),
    }
    await this.#record(end, report)
  }

  /** Returns the reason for the stop of the batch, if the stop prevented the start of this run. */
  #stopReason({ ending }: ExecutionReport): StopCause | undefined {
    if (ending.kind !== 'not-started' || this.#history.conclusion !== 'not-started') {
      return undefined
    }
    const { stop } = this.#shared
    return stop.explains(ending.failure) ? stop.cause : undefined
  }

  #failsStep(stopReason: StopCause | undefined): boolean {
    const { conclusion = 'unknown' } = this.#history
    // For the input `fail-on`, a run that the timeout prevented counts as timed out.
    const isLate = conclusion === 'not-started' && stopReason === 'timed-out'
    return this.#shared.plan.failsStep(isLate ? 'timed-out' : conclusion)
  }

  async #fail(error: unknown): Promise<void> {
    this.#settle('unknown')
    await this.#record({
      executionId: this.#history.executionId,
      resumed: false,
      cause: this.#words(error),
      failsStep: true,
    })
  }

  #words(failure: unknown): string {
    return this.#shared.collaborators.showWords(messageOf(failure))
  }

  async #record(end: RunEnd, report?: ExecutionReport): Promise<void> {
    const record = recordOf(this.#seed, this.#history, this.slot, end)
    this.slot.close()
    this.#shared.records.push(record)
    await this.#shared.listener.onEnded(this.#seed, record, report)
  }
}
