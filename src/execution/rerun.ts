/**
 * The one rule for jobs that run again: what a step does about an execution that an earlier attempt
 * of the job started. Root, `start` and each run of a batch use it. A record never counts until the
 * service was asked.
 */
import type { Outcome } from './conclusion.ts'
import type { ProbeResult } from './probe.ts'

/** What a record says of one run. `attempt`: the attempt that started its last execution. */
export type RecordedRun =
  /** No end was seen. */
  | ({ kind: 'started' } & RecordedExecution)
  | ({ kind: 'ended'; conclusion: Outcome } & RecordedExecution)
  /** A start that may have been accepted. It has no id. */
  | { kind: 'start-unknown'; attempt: number }

/** What this attempt knows of a run from the record of an earlier attempt. */
export type EarlierRun =
  | RecordedRun
  /**
   * The end was reported: outputs, result and requested copies were all written. A run of a batch
   * is reported once the whole batch succeeded and was reported.
   */
  | ({ kind: 'reported'; conclusion: Outcome } & RecordedExecution)
  /** The record does not name the run, or there is no record. */
  | { kind: 'none' }
  /** There may be a record, but it cannot be read. `why` may be shown. */
  | { kind: 'unreadable'; why: string }

interface RecordedExecution {
  attempt: number
  executionId: string
  /** True if the service kept a result. Undefined if the record does not say. */
  hadResult?: boolean | undefined
}

/** The recorded runs that the service can be asked about. */
export type KnownRun = Extract<EarlierRun, { executionId: string }>

/** `start` of the input `on-rerun` asks for no decision. */
export type RerunMode = 'resume' | 'reuse'

/** How the earlier execution stands, as record and service say. */
export type PriorState =
  | 'running'
  /** Over with success, never reported. */
  | 'succeeded'
  /** A success, reported or not, with `reuse`. */
  | 'reusable'
  /** Over with `error`, `container-error` or `stopped`, never reported. */
  | 'failed'
  | 'reported'
  /** No proper answer: network, 5xx, 429. */
  | 'unavailable'
  /** 401 or 403. */
  | 'refused'
  /** 404 for 30 s. */
  | 'not-found'
  | 'start-unknown'
  | 'no-record'
  | 'unreadable'
  /** The step was cancelled while it asked. */
  | 'cancelled'

/** What a step does about the earlier run. Only `start` starts an execution. */
export type RerunAction =
  /** Starts a new execution. */
  | 'start'
  /** Follows the earlier execution to its end and publishes its files. */
  | 'follow'
  /** Outputs the id and passes. */
  | 'output-id'
  /** Fails, with the id. */
  | 'fail'

/** Root and batch wait for the executions that they start. `start` does not. */
export type StepKind = 'waits' | 'outputs-id'

const rerunTable: Readonly<Record<PriorState, Readonly<Record<StepKind, RerunAction>>>> = {
  running: { waits: 'follow', 'outputs-id': 'output-id' },
  succeeded: { waits: 'follow', 'outputs-id': 'start' },
  reusable: { waits: 'follow', 'outputs-id': 'output-id' },
  failed: { waits: 'start', 'outputs-id': 'start' },
  // A person asked for a new run.
  reported: { waits: 'start', 'outputs-id': 'start' },
  unavailable: { waits: 'follow', 'outputs-id': 'output-id' },
  // Following it meets the refusal again, and ends `unknown`.
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
      /** The end of the execution, if the look has just seen it. */
      ending: Extract<ProbeResult, { kind: 'finished' }> | undefined
      isKept: boolean
      hadResult: boolean | undefined
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

/** Decides what to do. `probed` is the service's answer, if {@link needsProbe} required it. */
export function decide(
  kind: StepKind,
  recorded: EarlierRun,
  probed: ProbeResult | undefined,
  onRerun: RerunMode,
): RerunDecision {
  const state =
    needsProbe(recorded, onRerun) && probed ? probedState(probed, onRerun) : recordedState(recorded)
  const action = rerunTable[state][kind]
  if (action === 'start' || !('executionId' in recorded)) return { state, action: 'start' }
  const { executionId, hadResult } = recorded
  const ending = probed?.kind === 'finished' ? probed : undefined
  const isKept = state === 'reusable' || (state === 'succeeded' && recorded.kind === 'ended')
  return { state, action, executionId, ending, isKept, hadResult }
}

function probedState(probed: ProbeResult, onRerun: RerunMode): PriorState {
  if (probed.kind !== 'finished') return probed.kind
  if (probed.outcome !== 'success') return 'failed'
  return onRerun === 'reuse' ? 'reusable' : 'succeeded'
}

function recordedState({ kind }: EarlierRun): PriorState {
  switch (kind) {
    // The service was not asked, so the run counts as running.
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
