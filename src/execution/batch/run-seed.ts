/**
 * One seed of a batch: started, or taken over from an earlier attempt of the job; followed to its
 * end, fetched, recorded.
 */
import { messageOf } from '../../errors.ts'
import { NotSentError } from '../../service/errors.ts'
import type { Conclusion } from '../conclusion.ts'
import type { ExecutionReport } from '../execution-report.ts'
import { probe, type ProbeResult } from '../probe.ts'
import { decide, needsProbe, type RecordedRun, type RerunDecision } from '../rerun.ts'
import { followWithRetries, type RetryListener } from '../retries.ts'
import { causeOf, filesOf, withLostResult, type RunRecord, type StopReason } from './record.ts'
import type { SeedEntry, Shared } from './shared.ts'
import { refusesCredentials } from './shared-service.ts'

/** Tries within an outage of minutes; the step's deadline bounds them all. Spans: milliseconds. */
const startLimits = { tries: 10, span: 86_400_000, firstPause: 1_000 }

export class SeedRun {
  readonly #entry: SeedEntry
  readonly #recorded: RecordedRun
  readonly #shared: Shared
  readonly #attempts: RunRecord['attempts'][number][] = []
  /** The last execution that is known of this run. */
  #executionId: string | undefined
  #slot: Disposable | undefined
  /** Moments are milliseconds since the batch began. */
  #slotTakenAt = NaN
  #startedAt: number | undefined
  #endedAt: number | undefined
  /** What it came to, once it has. */
  #conclusion: Conclusion | undefined

  constructor(entry: SeedEntry, recorded: RecordedRun, shared: Shared) {
    this.#entry = entry
    this.#recorded = recorded
    this.#shared = shared
  }

  /** The run counts as running until its end, when it gives the slot back. */
  hold(slot: Disposable): void {
    this.#slot = slot
    this.#slotTakenAt = this.#shared.elapsed()
    this.#shared.tally.begin(this.#slotTakenAt)
    if (this.#executionId !== undefined) this.#startedAt = this.#slotTakenAt
  }

  readonly #isRunning = () => this.#slot !== undefined && this.#conclusion === undefined

  /** What is to be done, as record and service say. Undefined where the run is over with that. */
  async decide(): Promise<RerunDecision | undefined> {
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
    if (decision.action === 'start') this.#giveUp(executionId, probed)
    else if (!decision.ending && deadline.signal.aborted) {
      await this.recordUnstarted('failure' in probed ? probed.failure : undefined)
      return undefined
    }
    return decision
  }

  /** Starts it, or follows what was started, to its end. */
  async follow(decision: RerunDecision): Promise<void> {
    let report: ExecutionReport
    try {
      const followed = await this.#followExecution(decision)
      report = this.#hasLostResult(followed) ? withLostResult(followed) : followed
      this.#settle(this.#conclude(report))
    } catch (error) {
      // An internal error: the run may have been started. It stops no other run.
      await this.#fail(error)
      return
    }
    const { folder, showWords } = this.#shared.collaborators
    const stopReason = this.#stopReason(report)
    await this.#record(
      {
        // A start that may have been accepted has no id, whatever was tried before it.
        executionId: report.ending.kind === 'unknown-start' ? undefined : this.#executionId,
        resumed: decision.action !== 'start',
        cause: stopReason === undefined ? causeOf(report, showWords) : undefined,
        stopReason,
        ...filesOf(report.files, folder),
        failsStep: this.#failsStep(report, stopReason),
      },
      report,
    )
  }

  /** Its turn did not come, or the time is over. What an earlier attempt started may still run. */
  async recordUnstarted(failure?: unknown): Promise<void> {
    const { collaborators, stop } = this.#shared
    const { reason = 'timed-out' } = stop
    const executionId = this.#attempts.at(-1)?.executionId ?? this.#mayStillRun()
    if (executionId !== undefined && this.#attempts.length === 0) {
      if (this.#executionId === undefined) this.#found(executionId)
      const conclusion = collaborators.cancelled.aborted ? 'cancelled' : 'timed-out'
      this.#attempts.push({ executionId, conclusion })
      if (conclusion === 'timed-out') this.#shared.unreached += 1
    }
    const conclusion = this.#attempts.at(-1)?.conclusion ?? 'not-started'
    this.#settle(conclusion)
    // The step's time alone keeps it from being over: `fail-on` decides as of one that is not.
    const isLate = conclusion === 'not-started' && reason === 'timed-out'
    await this.#record({
      executionId,
      resumed: executionId !== undefined,
      cause: failure === undefined ? undefined : this.#words(failure),
      stopReason: reason,
      failsStep: this.#shared.failsStep(isLate ? 'timed-out' : conclusion),
    })
  }

  /** By the record of an earlier attempt, before the service was asked. */
  #mayStillRun(): string | undefined {
    const recorded = this.#recorded
    if (!needsProbe(recorded, this.#shared.plan.onRerun)) return undefined
    const hasFailed = recorded.kind !== 'started' && recorded.conclusion !== 'success'
    return hasFailed && this.#executionId === undefined ? undefined : recorded.executionId
  }

  async #probe(executionId: string): Promise<ProbeResult> {
    const { collaborators, plan, listener, service } = this.#shared
    const { clock, random, cancelled } = collaborators
    return probe(executionId, {
      service: service.forSeed(this.#entry.seed, this.#isRunning),
      clock,
      random,
      cancelled,
      deadline: plan.deadline,
      listener: {
        onStatus: (status) => listener.onStatus(status),
        onTrouble: (failure) => this.#shared.trouble(failure),
        onRecovery: () => this.#shared.recovery(),
      },
    })
  }

  /** What an earlier attempt started failed or is gone: another one is started in its place. */
  #giveUp(executionId: string, probed: ProbeResult): void {
    const conclusion = probed.kind === 'finished' ? probed.outcome : undefined
    this.#attempts.push({ executionId, conclusion: conclusion ?? 'unknown' })
    this.#shared.listener.onStartedAnew(this.#entry.seed, { executionId, conclusion })
  }

  async #followExecution(decision: RerunDecision): Promise<ExecutionReport> {
    const { plan, collaborators, service, tally } = this.#shared
    const { request, pollInterval, deadline, retries, retryOn } = plan
    const { store, clock, random, cancelled, readLogEnd, removeFolder } = collaborators
    const { seed } = this.#entry
    const begin =
      decision.action === 'start'
        ? request
        : { executionId: decision.executionId, ending: decision.ending }
    return followWithRetries(
      { begin, request, pollInterval, deadline, retries, retryOn, once: false },
      {
        store,
        clock,
        random,
        cancelled,
        readLogEnd,
        removeFolder,
        startLimits,
        service: service.forSeed(seed, this.#isRunning),
        makeFolder: () => collaborators.makeFolder(seed),
        minPause: () => service.pauseFor(tally.running),
        turn: (cancelled, work) => this.#shared.download(cancelled, work),
      },
      this.#listener(),
    )
  }

  #listener(): RetryListener {
    const { listener } = this.#shared
    const { seed } = this.#entry
    return {
      onStartRetry: (error, pause) => listener.onStartRetry(seed, error, pause),
      onStarted: ({ executionId }) => this.#found(executionId),
      onWait: () => undefined,
      onStatus: (status) => listener.onStatus(status),
      onCheck: () => undefined,
      onPause: () => undefined,
      onTrouble: (failure) => this.#shared.trouble(failure),
      onRecovery: () => this.#shared.recovery(),
      onEnding: ({ executionId, conclusion }) => {
        if (executionId !== undefined) this.#attempts.push({ executionId, conclusion })
      },
      onSettled: (report) => this.#settle(this.#conclude(report)),
      onRetry: (report, pause) => listener.onRetry(seed, report, pause),
    }
  }

  /** An execution of this run is known. */
  #found(executionId: string): void {
    this.#executionId = executionId
    if (this.#slot) this.#startedAt ??= this.#shared.elapsed()
    this.#shared.listener.onStarted(this.#entry.seed, executionId)
  }

  /**
   * Where its last start was not accepted, but one before was: what that one came to. A refusal of
   * the credentials is not about the run: it counts as one whose turn did not come.
   */
  #conclude({ ending, conclusion }: ExecutionReport): Conclusion {
    if (ending.kind !== 'not-started') return conclusion
    const before = this.#attempts.at(-1)
    if (before) return before.conclusion
    return refusesCredentials(ending.failure) ? 'not-started' : conclusion
  }

  /** The run is over, whatever is still to be fetched: its slot is free. The first call counts. */
  #settle(conclusion: Conclusion): void {
    if (this.#conclusion !== undefined) return
    const { tally, stop, plan } = this.#shared
    this.#conclusion = conclusion
    if (this.#slot) {
      this.#endedAt = this.#shared.elapsed()
      tally.end(conclusion, this.#slotTakenAt, this.#endedAt)
    } else tally.count(conclusion)
    if (plan.failFast && this.#shared.failsStep(conclusion)) {
      stop.now('fail-fast', { kind: 'fail-fast', seed: this.#entry.seed })
    }
    this.#slot?.[Symbol.dispose]()
  }

  /** It was there by the record of an earlier attempt. */
  #hasLostResult({ executionId }: ExecutionReport): boolean {
    const recorded = this.#recorded
    if (!('leftResult' in recorded) || !recorded.leftResult) return false
    return recorded.executionId === executionId
  }

  #failsStep(report: ExecutionReport, stopReason: StopReason | undefined): boolean {
    const conclusion = this.#conclusion ?? 'unknown'
    const isLate = stopReason === 'timed-out'
    if (this.#shared.failsStep(isLate ? 'timed-out' : conclusion)) return true
    // A next step counts on the result of a run that succeeded.
    return conclusion === 'success' && report.files?.result.kind === 'unavailable'
  }

  /**
   * Where no more runs were started while the start waited to be sent, as all do during a
   * `Retry-After`: that run is as one whose turn did not come.
   */
  #stopReason({ ending }: ExecutionReport): StopReason | undefined {
    if (ending.kind !== 'not-started' || this.#conclusion !== 'not-started') return undefined
    const { stop, plan } = this.#shared
    const { failure } = ending
    const cause = failure instanceof NotSentError ? failure.cause : failure
    const isStopped = cause === stop.signal.reason || cause === plan.deadline.signal.reason
    return isStopped ? stop.reason : undefined
  }

  async #fail(error: unknown): Promise<void> {
    this.#settle('unknown')
    await this.#record({
      executionId: this.#executionId,
      resumed: false,
      cause: this.#words(error),
      failsStep: true,
    })
  }

  #words(failure: unknown): string {
    return this.#shared.collaborators.showWords(messageOf(failure))
  }

  async #record(facts: RecordFacts, report?: ExecutionReport): Promise<void> {
    const { index, label } = this.#entry.seed
    const record: RunRecord = {
      index,
      label,
      conclusion: this.#conclusion ?? 'unknown',
      attempts: this.#attempts,
      startedAt: this.#startedAt,
      endedAt: this.#endedAt,
      stopReason: undefined,
      leftResult: undefined,
      resultFile: undefined,
      logFile: undefined,
      ...facts,
    }
    await this.#shared.record(this.#entry, record, report)
  }
}

type RecordFacts = Pick<RunRecord, 'executionId' | 'resumed' | 'cause' | 'failsStep'> &
  Partial<Pick<RunRecord, 'stopReason' | 'leftResult' | 'resultFile' | 'logFile'>>
