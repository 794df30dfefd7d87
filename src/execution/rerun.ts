/**
 * Decides what a re-run does about an execution that an earlier attempt of the job started. The
 * root action, the action `start` and each run of a batch use these rules. A recorded execution is
 * used only after a request to the service about this execution.
 */
import type { Outcome } from './conclusion.ts'
import type { PollState } from './poll-state.ts'
import type { ProbeResult } from './probe.ts'

/** What a record says about one run. `attempt` is the job attempt that started the execution. */
export type RecordedRun =
  /** The record says that the run was started, but not that the run ended. */
  | ({ kind: 'started' } & RecordedExecution)
  | ({ kind: 'ended'; conclusion: Outcome } & RecordedExecution)
  /** The service may have accepted the start, but the id of the execution is not known. */
  | { kind: 'start-unknown'; attempt: number }

/** What a re-run knows about a run from the record of an earlier attempt of the job. */
export type EarlierRun =
  | RecordedRun
  /**
   * An earlier attempt of the job reported the end of the run. The outputs and the result were
   * written. In a batch, this kind is used only if all runs succeeded.
   */
  | ({ kind: 'reported'; conclusion: Outcome } & RecordedExecution)
  /** The record does not name the run, or there is no record. */
  | { kind: 'none' }
  /** A record may exist, but no record could be read. `why` gives the reason and may be shown. */
  | { kind: 'unreadable'; why: string }

interface RecordedExecution {
  attempt: number
  executionId: string
}

/** The recorded runs that have an id, so that the service can be asked about them. */
type KnownRun = Extract<EarlierRun, { executionId: string }>

/**
 * The values of the input `on-rerun` that use an earlier run. The third value, `start`, ignores
 * records.
 */
export type RerunMode = 'resume' | 'reuse'

/** The state of the earlier execution, from the record and the answer of the service. */
export type PriorState =
  | 'running'
  /** The execution succeeded, but no attempt of the job reported the end. */
  | 'succeeded'
  /** The execution succeeded, and the input `on-rerun` is `reuse`. */
  | 'reusable'
  /** The execution ended with `error`, `container-error`, `stopped` or `invalid-result`. */
  | 'failed'
  | 'reported'
  /** The service gave no valid answer, for example because of a network error or a 5xx. */
  | 'unavailable'
  /** The service answered 401 or 403. */
  | 'refused'
  /** The service answered 404 for 30 s. */
  | 'not-found'
  | 'start-unknown'
  | 'no-record'
  | 'unreadable'
  /** The step was cancelled during the request to the service. */
  | 'cancelled'

/** What a step does about the earlier execution. Only the value `start` starts a new execution. */
export type RerunAction =
  | 'start'
  /** Follows the earlier execution to its end and publishes its files. */
  | 'follow'
  /** Outputs the id of the earlier execution. The step succeeds. */
  | 'output-id'
  /** Outputs the id of the earlier execution. The step fails. */
  | 'fail'

/** The root action and `batch` wait for their executions. The action `start` only outputs ids. */
export type StepKind = 'waits' | 'outputs-id'

const rerunTable: Readonly<Record<PriorState, Readonly<Record<StepKind, RerunAction>>>> = {
  running: { waits: 'follow', 'outputs-id': 'output-id' },
  succeeded: { waits: 'follow', 'outputs-id': 'start' },
  reusable: { waits: 'follow', 'outputs-id': 'output-id' },
  failed: { waits: 'start', 'outputs-id': 'start' },
  // The end was already reported, so the person who re-runs the job wants a new run.
  reported: { waits: 'start', 'outputs-id': 'start' },
  unavailable: { waits: 'follow', 'outputs-id': 'output-id' },
  // The service will also refuse the next check. A step that follows the run ends with `unknown`.
  refused: { waits: 'follow', 'outputs-id': 'fail' },
  'not-found': { waits: 'start', 'outputs-id': 'start' },
  'start-unknown': { waits: 'start', 'outputs-id': 'start' },
  'no-record': { waits: 'start', 'outputs-id': 'start' },
  unreadable: { waits: 'start', 'outputs-id': 'start' },
  cancelled: { waits: 'follow', 'outputs-id': 'fail' },
}

export type RerunDecision =
  | { state: PriorState; action: 'start' }
  | {
      state: PriorState
      action: 'follow' | 'output-id' | 'fail'
      executionId: string
      /** The ending, if the probe found that the execution has ended. */
      ending: Extract<ProbeResult, { kind: 'finished' }> | undefined
      /** The check results of the probe. Undefined without a probe, or if its answer is final. */
      before: PollState | undefined
    }

/** Returns true if the service must be asked about the run. */
export function needsProbe(recorded: EarlierRun, onRerun: RerunMode): recorded is KnownRun {
  switch (recorded.kind) {
    case 'started':
    case 'ended':
      return true
    case 'reported':
      return onRerun === 'reuse' && recorded.conclusion === 'success'
    case 'start-unknown':
    case 'none':
    case 'unreadable':
      return false
  }
}

/**
 * Returns the state of the earlier execution and what the step does. `probed` is what the service
 * says about that execution. Undefined if the service was not asked.
 */
export function decide(
  kind: StepKind,
  recorded: EarlierRun,
  probed: ProbeResult | undefined,
  onRerun: RerunMode,
): RerunDecision {
  const state =
    needsProbe(recorded, onRerun) && probed
      ? probedState(recorded, probed, onRerun)
      : recordedState(recorded)
  const action = rerunTable[state][kind]
  if (action === 'start' || !('executionId' in recorded)) return { state, action: 'start' }
  const { executionId } = recorded
  const ending = probed?.kind === 'finished' ? probed : undefined
  const before = probed && 'state' in probed ? probed.state : undefined
  return { state, action, executionId, ending, before }
}

/**
 * Returns how the earlier execution ended, or undefined if its end is not known. The service may
 * show a failure flag and never `finished`. Such an execution has ended if the record says that it
 * failed. Only the record knows `invalid-result`: for the service, such an execution succeeded.
 */
export function earlierOutcome(
  recorded: EarlierRun,
  probed: ProbeResult | undefined,
): Outcome | undefined {
  const known = 'conclusion' in recorded ? recorded.conclusion : 'success'
  if (probed?.kind === 'running') {
    const flagged = probed.ending.kind === 'finished' ? probed.ending.outcome : undefined
    return known === 'success' ? undefined : flagged
  }
  if (probed?.kind !== 'finished') return undefined
  const isInvalid = known === 'invalid-result' && probed.outcome === 'success'
  return isInvalid ? known : probed.outcome
}

function probedState(recorded: KnownRun, probed: ProbeResult, onRerun: RerunMode): PriorState {
  const outcome = earlierOutcome(recorded, probed)
  if (outcome !== undefined && outcome !== 'success') return 'failed'
  if (probed.kind !== 'finished') return probed.kind
  return onRerun === 'reuse' ? 'reusable' : 'succeeded'
}

function recordedState({ kind }: EarlierRun): PriorState {
  switch (kind) {
    // The service was not asked, so the state of the run is not known.
    case 'started':
    case 'ended':
      return 'unavailable'
    case 'none':
      return 'no-record'
    case 'reported':
    case 'start-unknown':
    case 'unreadable':
      return kind
  }
}
