/**
 * The one rule for jobs that run again: what a step does about an execution that an earlier attempt
 * of the job started. For root and `start`, and for each run of a batch. Nothing that a record says
 * of an execution counts until the service was asked.
 */
import type { Outcome } from './conclusion.ts'
import type { ProbeResult } from './probe.ts'

/** What the record of an earlier attempt says of one run. `attempt`: the one that started it. */
export type RecordedRun =
  /** Its end was not seen. */
  | ({ kind: 'started' } & RecordedExecution)
  /**
   * Its end was seen. `reported`: outputs, result and the copies that were asked for were all
   * written; of a run of a batch, once the whole batch had succeeded and was reported.
   */
  | ({ kind: 'ended' | 'reported'; conclusion: Outcome } & RecordedExecution)
  /** A start that may or may not have been accepted: there is no id. */
  | { kind: 'start-unknown'; attempt: number }
  /** The record does not know the run, or there is no record. */
  | { kind: 'none' }
  /** There may be a record, which can't be read. `why` may be shown. */
  | { kind: 'unreadable'; why: string }

interface RecordedExecution {
  attempt: number
  executionId: string
  /** Whether the service kept a result; undefined where the record does not say. */
  leftResult?: boolean | undefined
}

/** The recorded runs that there is something to ask about. */
export type KnownRun = Extract<RecordedRun, { executionId: string }>

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

/** What a step does then. All but `start` start nothing. */
export type RerunAction =
  /** Starts anew. */
  | 'start'
  /** Follows the earlier execution to its end, and hands on what it left. */
  | 'follow'
  /** Hands its id over, and passes. */
  | 'hand-over'
  /** Fails, with its id. */
  | 'fail'

/** Root and batch wait for what they start, `start` does not. */
export type Waiting = 'waits' | 'hands-over'

const rerunTable: Readonly<Record<PriorState, Readonly<Record<Waiting, RerunAction>>>> = {
  running: { waits: 'follow', 'hands-over': 'hand-over' },
  succeeded: { waits: 'follow', 'hands-over': 'start' },
  reusable: { waits: 'follow', 'hands-over': 'hand-over' },
  failed: { waits: 'start', 'hands-over': 'start' },
  // A person asked for a new run.
  reported: { waits: 'start', 'hands-over': 'start' },
  unavailable: { waits: 'follow', 'hands-over': 'hand-over' },
  // Following it meets the refusal again, and ends `unknown`.
  refused: { waits: 'follow', 'hands-over': 'fail' },
  'not-found': { waits: 'start', 'hands-over': 'start' },
  'start-unknown': { waits: 'start', 'hands-over': 'start' },
  'no-record': { waits: 'start', 'hands-over': 'start' },
  unreadable: { waits: 'start', 'hands-over': 'start' },
  cancelled: { waits: 'follow', 'hands-over': 'fail' },
}

export type RerunDecision =
  | { state: PriorState; action: 'start' }
  | {
      state: PriorState
      action: 'follow' | 'hand-over' | 'fail'
      executionId: string
      /** Its end, where it was just seen. */
      ending: Extract<ProbeResult, { kind: 'finished' }> | undefined
      isKept: boolean
      leftResult: boolean | undefined
    }

/** Whether the service has to be asked about the run: nothing else can say how it stands. */
export function needsProbe(recorded: RecordedRun, onRerun: RerunMode): recorded is KnownRun {
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

/** `probed`: what the service says now, where {@link needsProbe} wants it asked. */
export function decide(
  waiting: Waiting,
  recorded: RecordedRun,
  probed: ProbeResult | undefined,
  onRerun: RerunMode,
): RerunDecision {
  const state =
    needsProbe(recorded, onRerun) && probed ? probedState(probed, onRerun) : recordedState(recorded)
  const action = rerunTable[state][waiting]
  if (action === 'start' || !('executionId' in recorded)) return { state, action: 'start' }
  const { executionId, leftResult } = recorded
  const ending = probed?.kind === 'finished' ? probed : undefined
  const isKept = state === 'reusable' || (state === 'succeeded' && recorded.kind === 'ended')
  return { state, action, executionId, ending, isKept, leftResult }
}

function probedState(probed: ProbeResult, onRerun: RerunMode): PriorState {
  if (probed.kind !== 'finished') return probed.kind
  if (probed.outcome !== 'success') return 'failed'
  return onRerun === 'reuse' ? 'reusable' : 'succeeded'
}

function recordedState({ kind }: RecordedRun): PriorState {
  switch (kind) {
    // As if it ran: it was not asked for.
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
