/**
 * One seed of a batch: started, or taken over from an earlier attempt of the job; followed to its
 * end, fetched, recorded.
 */
import { messageOf } from '../../errors.ts'
import type { ExecutionService } from '../../service/client.ts'
import { refusesCredentials } from '../../service/errors.ts'
import type { Conclusion, Outcome } from '../conclusion.ts'
import type { ExecutionReport } from '../execution-report.ts'
import { probe, type ProbeResult } from '../probe.ts'
import { decide, needsProbe, type RecordedRun, type RerunDecision } from '../rerun.ts'
import { followWithRetries, type RetryListener } from '../retries.ts'
import type { BatchSeed, RunRecord } from './batch.ts'
import { filesOf } from './record.ts'
import { RunSlot } from './run-slot.ts'
import type { Shared } from './shared.ts'

/** Tries within an outage of minutes; the step's deadline bounds them all. Spans: milliseconds. */
const startLimits = { tries: 10, span: 86_400_000, firstPause: 1_000 }

export class SeedRun {
  readonly slot: RunSlot
  readonly #seed: BatchSeed
  readonly #recorded: RecordedRun
  readonly #shared: Shared
  readonly #service: ExecutionService
  /** Of an earlier attempt of the job, and started anew here. */
  readonly #givenUp: RunRecord['attempts'][number][] = []
  #attempts: RunRecord['attempts'] = this.#givenUp
  /** The last execution that is known of this run. */
  #executionId: string | undefined
  /** What it came to, once it has. */
  #conclusion: Conclusion | undefined

  constructor(seed: BatchSeed, recorded: RecordedRun, shared: Shared) {
    this.#seed = seed
    this.#recorded = recorded
    this.#shared = shared
    this.slot = new RunSlot(shared)
    this.#service = shared.service.forRun({ seed, slot: this.slot })
  }

  /** What is to be done, as record and service say. Undefined where the run is over with that. */
  async #decide(): Promise<RerunDecision | undefined> {
    const { collaborators, plan } = this.#shared
    const { onRerun, deadline } = plan
    const recorded = this.#recorded
    if (!needsProbe(recorded, onRerun)) return decide('waits', recorded, undefined, onRerun)
    const { executionId } = recorded
    let probed: ProbeResult
    try {
      this.#found(executionId)
      const listener = this.#listener()
      probed = await probe(executionId, {
        ...collaborators,
        service: this.#service,
        deadline,
        listener,
      })
    } catch (error) {
      await this.#fail(error)
      return undefined
    }
    const decision = decide('waits', recorded, probed, onRerun)
    if (decision.action === 'start') {
      this.#giveUp(executionId, probed.kind === 'finished' ? probed.outcome : undefined)
    } else if (!decision.ending && deadline.signal.aborted) {
      await this.recordUnstarted('failure' in probed ? probed.failure : undefined)
      return undefined
    }
    return decision
  }

  /** Starts it, or follows what was started, to its end. */
  async follow(): Promise<void> {
    const decision = await this.#decide()
    if (!decision) return
    let report: ExecutionReport
    try {
      report = await this.#followExecution(decision)
      this.#settle(this.#conclude(report), report)
    } catch (error) {
      // An internal error: the run may have been started. It stops no other run.
      await this.#fail(error)
      return
    }
    const { collaborators } = this.#shared
    const { ending, files } = report
    const stopReason = this.#stopReason(report)
    const { cause, advice, members } = collaborators.describe(report)
    const lost = files?.result.kind === 'unavailable' ? files.result : undefined
    const isResultMissing = this.#conclusion === 'success' && lost !== undefined
    const resumed = decision.action !== 'start' && this.#givenUp.length === 0
    // Seen over at the first look: how long it took is not known.
    const isKept = resumed && decision.ending !== undefined
    await this.#record(
      {
        // A start that may have been accepted has no id, whatever was tried before it.
        executionId: ending.kind === 'unknown-start' ? undefined : this.#executionId,
        resumed,
        cause: stopReason === undefined ? cause : undefined,
        advice,
        members,
        stopReason,
        isResultGone: lost?.obstacle === 'gone',
        isUnchecked: report.resultProblems?.isUnchecked,
        ...filesOf(files, collaborators.folder),
        ...(isKept && { startedAt: undefined, endedAt: undefined }),
        // A next step counts on the result of a run that succeeded.
        ...(isResultMissing && { failsStep: true }),
      },
      report,
    )
  }

  /** Its turn did not come, or the time is over. What an earlier attempt started may still run. */
  async recordUnstarted(failure?: unknown): Promise<void> {
    const { collaborators, stop } = this.#shared
    const executionId = this.#attempts.at(-1)?.executionId ?? this.#mayStillRun()
    if (executionId !== undefined && this.#attempts.length === 0) {
      if (this.#executionId === undefined) this.#found(executionId)
      const conclusion = collaborators.cancelled.aborted ? 'cancelled' : 'timed-out'
      this.#attempts = [{ executionId, conclusion }]
    }
    this.#settle(this.#attempts.at(-1)?.conclusion ?? 'not-started')
    await this.#record({
      executionId,
      resumed: executionId !== undefined,
      cause: failure === undefined ? undefined : this.#words(failure),
      stopReason: stop.cause?.kind ?? 'timed-out',
    })
  }

  /** By the record of an earlier attempt, before the service was asked. */
  #mayStillRun(): string | undefined {
    const recorded = this.#recorded
    if (!needsProbe(recorded, this.#shared.plan.onRerun)) return undefined
    const hasFailed = recorded.kind !== 'started' && recorded.conclusion !== 'success'
    return hasFailed && this.#executionId === undefined ? undefined : recorded.executionId
  }

  /** What an earlier attempt started is not handed on: another one is started in its place. */
  #giveUp(executionId: string, conclusion: Outcome | undefined): void {
    this.#givenUp.push({ executionId, conclusion: conclusion ?? 'unknown' })
    this.#shared.listener.onStartedAnew(this.#seed, { executionId, conclusion })
  }

  async #followExecution(decision: RerunDecision): Promise<ExecutionReport> {
    const shared = this.#shared
    const { plan, collaborators, service, downloads } = shared
    const { request, pollInterval, deadline, retries, retryOn } = plan
    const begin = decision.action === 'start' ? request : decision
    return followWithRetries(
      { begin, request, pollInterval, deadline, retries, retryOn, once: false },
      {
        ...collaborators,
        startLimits,
        service: this.#service,
        makeFolder: () => collaborators.makeFolder(this.#seed),
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
      onStatus: (status) => listener.onStatus(status),
      onCheck: () => undefined,
      onPause: () => undefined,
      onTrouble: (failure) => this.#shared.trouble(failure),
      onRecovery: () => this.#shared.recovery(),
      onEnding: (report) => {
        this.#note(report)
        this.slot.leave()
      },
      onSettled: (report) => this.#settle(this.#conclude(report), report),
      onRetry: (report, pause) => listener.onRetry(seed, report, pause),
      onOutdated: () => this.#giveUp(this.#executionId ?? '', 'invalid-result'),
    }
  }

  /** An execution of this run is known. */
  #found(executionId: string): void {
    this.#executionId = executionId
    this.slot.begin()
    this.#shared.listener.onStarted(this.#seed, executionId)
  }

  /** All executions of this run, as they are known now. */
  #note({ attempts }: ExecutionReport): void {
    const own = attempts.map(({ executionId, conclusion }) => ({ executionId, conclusion }))
    this.#attempts = [...this.#givenUp, ...own]
  }

  /**
   * Where its last start was not accepted, but one before was: what that one came to. A refusal of
   * the credentials is not about the run: it counts as one whose turn did not come.
   */
  #conclude(report: ExecutionReport): Conclusion {
    const { ending, conclusion } = report
    this.#note(report)
    if (ending.kind !== 'not-started') return conclusion
    const before = this.#attempts.at(-1)
    if (before) return before.conclusion
    return refusesCredentials(ending.failure) ? 'not-started' : conclusion
  }

  /** The run is over, whatever is still to be fetched. The first call counts. */
  #settle(conclusion: Conclusion, report?: ExecutionReport): void {
    if (this.#conclusion !== undefined) return
    const { stop, plan } = this.#shared
    this.#conclusion = conclusion
    this.slot.leave()
    const isUnchecked = report?.resultProblems?.isUnchecked === true
    if (plan.failFast && plan.failsStep(conclusion) && !isUnchecked) {
      stop.now({ kind: 'fail-fast', seed: this.#seed })
    }
  }

  /**
   * Where no more runs were started while the start waited to be sent, or sent again, as all do
   * during a `Retry-After`: that run is as one whose turn did not come.
   */
  #stopReason({ ending }: ExecutionReport): RunRecord['stopReason'] {
    if (ending.kind !== 'not-started' || this.#conclusion !== 'not-started') return undefined
    const { stop } = this.#shared
    return stop.explains(ending.failure) ? stop.cause?.kind : undefined
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
    const { index, label } = this.#seed
    const conclusion = this.#conclusion ?? 'unknown'
    // The step's time alone keeps it from being over: `fail-on` decides as of one that is not.
    const isLate = conclusion === 'not-started' && facts.stopReason === 'timed-out'
    const record: RunRecord = {
      index,
      label,
      conclusion,
      attempts: this.#attempts,
      startedAt: this.slot.startedAt,
      endedAt: this.slot.endedAt,
      failsStep: this.#shared.plan.failsStep(isLate ? 'timed-out' : conclusion),
      ...facts,
    }
    this.slot.close()
    this.#shared.records.push(record)
    await this.#shared.listener.onEnded(this.#seed, record, report)
  }
}

/** What is left of a record for those who know how the run ended. */
type RecordFacts = Omit<RunRecord, 'index' | 'label' | 'conclusion' | 'attempts' | Inferred> &
  Partial<Pick<RunRecord, Inferred>>
type Inferred = 'startedAt' | 'endedAt' | 'failsStep'
