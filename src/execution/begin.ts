/**
 * The one rule of re-runs: decides whether a run begins with a new start or with the execution that
 * an earlier attempt of the job started. The root action, the action `start` and each run of a batch
 * use this rule. The service is asked about a recorded execution before it is used, unless the step is
 * cancelled or its time is up.
 */
import type { Deadline } from '../clock.ts'
import { concludeFrom, type Outcome } from './conclusion.ts'
import type { Emit } from './events.ts'
import type { RunReport } from './report.ts'
import { isFlagged, nothingSeen, proofIn, type Seen } from './seen.ts'
import { watch, type WatchEnv } from './watch.ts'

/** What the record of an earlier attempt says about a run. */
export type EarlierRun =
  /** The record does not name the run, or there is no record. */
  | { kind: 'none' }
  /** A record may exist, but no record could be read. `why` gives the reason and may be shown. */
  | { kind: 'unreadable'; why: string }
  | UnclearStart
  | EarlierExecution

/** The service may have accepted the start, but the id of the execution is not known. */
export interface UnclearStart {
  kind: 'unclear'
  /** The attempt of the job that sent the start. */
  attempt: number
}

export interface RecordedExecution {
  kind: 'known'
  /** The attempt of the job that started the execution. */
  attempt: number
  executionId: string
  /** How the execution ended. Undefined if no attempt has recorded its end. */
  outcome?: Outcome | undefined
  /** When the start and the end were seen, in milliseconds since 1970. Only a batch has them. */
  startedAt?: number | undefined
  endedAt?: number | undefined
}

/** A recorded execution of an earlier attempt. */
export interface EarlierExecution extends RecordedExecution {
  /**
   * True if an attempt reported the end: it wrote the outputs and the result. In a batch, true only
   * if all runs succeeded.
   */
  isEndReported: boolean
}

/** The values of the input `on-rerun` that use an earlier run. The value `start` ignores records. */
export type RerunMode = 'resume' | 'reuse'

/** The root action and `batch` follow their runs. The action `start` only outputs the id. */
export type Purpose = 'follow' | 'output-id'

/** How an earlier execution stands, after the service was asked about it. */
type Checked =
  | 'running'
  /** The execution succeeded, but no attempt of the job reported the end. */
  | 'succeeded'
  /** The execution succeeded, and the input `on-rerun` is `reuse`. */
  | 'reusable'
  /** The execution ended with `error`, `container-error`, `stopped` or `invalid-result`. */
  | 'failed'
  /** The service gave no valid answer, for example because of a network error or a 5xx. */
  | 'unreachable'
  /** The service answered 401 or 403. */
  | 'no-access'
  /** The service answered 404 for 30 s. */
  | 'gone'
  /** The step was cancelled before the service gave a valid answer. */
  | 'cancelled'

/** How an earlier execution stands, from the record and the answers of the service. */
export type Standing =
  | Checked
  /** The end was already reported, so the person who re-runs the job wants a new run. */
  | 'reported'
  /** The start of the earlier attempt got no clear answer, so there is no id. */
  | 'unclear'
  /** No record names the run. */
  | 'none'
  /** No record could be read. */
  | 'unreadable'

/** A time of the clock, and the date for display. */
interface Moment {
  at: number
  on: Date
}

/** An existing execution that this step follows or publishes. */
export interface TakenOver {
  executionId: string
  /** What the checks of this step have shown so far. */
  seen: Seen
  /** The time before the first of these checks. */
  since: Moment
  /** The times of an execution that had succeeded, if the record has them. */
  ownTimes?: Times | undefined
}

type Times = Pick<RunReport, 'startedOn' | 'finishedOn' | 'duration'>

/** An execution of an earlier attempt that this step replaces with a new execution. */
export interface Replaced {
  executionId: string
  /** How the execution ended. Undefined if the service answered 404 for 30 s. */
  outcome: Outcome | undefined
}

/** How a run begins. `seen` has the checks of the earlier execution. */
export type Beginning =
  | { kind: 'start'; because: Standing; seen: Seen; replaced: Replaced | undefined }
  | ({ kind: 'take-over'; because: Standing } & TakenOver)

/** The purposes for which a step takes over an earlier execution. Otherwise it starts a new one. */
const takenOverBy: Readonly<Record<Checked, readonly Purpose[]>> = {
  running: ['follow', 'output-id'],
  succeeded: ['follow'],
  reusable: ['follow', 'output-id'],
  failed: [],
  unreachable: ['follow', 'output-id'],
  // The next check is refused too, so the step ends with the id, and does not pay for a new run.
  'no-access': ['follow', 'output-id'],
  gone: [],
  cancelled: ['follow', 'output-id'],
}

// In milliseconds.
const pauseBetweenFirstChecks = 1_000

/** Returns how the run begins. Asks the service about the recorded execution if necessary. */
export async function begin(
  recorded: EarlierRun,
  { mode, purpose, deadline }: { mode: RerunMode; purpose: Purpose; deadline: Deadline },
  env: WatchEnv,
  emit: Emit,
): Promise<Beginning> {
  const known = runToCheck(recorded, mode)
  if (!known) {
    const because = recorded.kind === 'known' ? 'reported' : recorded.kind
    return { kind: 'start', because, seen: nothingSeen, replaced: undefined }
  }
  const { executionId } = known
  emit({ kind: 'recorded', executionId })
  const since = { at: env.clock.now(), on: env.clock.date() }
  // A step that only outputs an id waits until a failure flag is confirmed or taken back.
  const until = purpose === 'follow' ? 'answer' : 'unflagged-answer'
  const plan = { until, pollInterval: pauseBetweenFirstChecks, deadline } as const
  const seen = await watch(executionId, nothingSeen, plan, env, emit)
  const outcome = earlierOutcome(known, seen)
  const because = standingOf(outcome, seen, mode, env.cancelled)
  const ownTimes = outcome === 'success' ? timesOf(known) : undefined
  return takenOverBy[because].includes(purpose)
    ? { kind: 'take-over', because, executionId, seen, since, ownTimes }
    : { kind: 'start', because, seen, replaced: { executionId, outcome } }
}

function timesOf({ startedAt, endedAt }: EarlierExecution): Times | undefined {
  if (startedAt === undefined || endedAt === undefined) return undefined
  const duration = Math.max(0, endedAt - startedAt)
  return { startedOn: new Date(startedAt), finishedOn: new Date(endedAt), duration }
}

/** Returns the recorded run if the service must be asked about it. */
function runToCheck(recorded: EarlierRun, mode: RerunMode): EarlierExecution | undefined {
  if (recorded.kind !== 'known') return undefined
  const isRepublished = mode === 'reuse' && recorded.outcome === 'success'
  return recorded.isEndReported && !isRepublished ? undefined : recorded
}

/**
 * Returns the recorded run if the service must be asked about it, and the record does not say that it
 * failed. The step follows or publishes this run, unless the service says otherwise.
 */
export function runToTakeOver(recorded: EarlierRun, mode: RerunMode): EarlierExecution | undefined {
  const known = runToCheck(recorded, mode)
  return known && !hasFailed(known) ? known : undefined
}

function standingOf(
  outcome: Outcome | undefined,
  seen: Seen,
  mode: RerunMode,
  cancelled: AbortSignal,
): Checked {
  const proof = proofIn(seen)
  if (proof?.kind === 'lost' && proof.why === 'credentials') return 'no-access'
  if (proof?.kind === 'lost' && proof.why === 'not-found') return 'gone'
  if (outcome !== undefined && outcome !== 'success') return 'failed'
  if (outcome === 'success') return mode === 'reuse' ? 'reusable' : 'succeeded'
  if (cancelled.aborted) return 'cancelled'
  return seen.status ? 'running' : 'unreachable'
}

/**
 * Returns how the earlier execution ended, or undefined if its end is not known. An execution with a
 * failure flag may finish later. So without `finished`, it has ended only if the flag lasted for 30 s,
 * or if the record says the same.
 */
function earlierOutcome(recorded: EarlierExecution, seen: Seen): Outcome | undefined {
  const { status } = seen
  // A new start needs an answer that confirms the end.
  const isProved = !seen.failure && proofIn(seen)?.kind === 'finished'
  if (!status || !(isProved || (hasFailed(recorded) && isFlagged(status)))) return undefined
  const shown = concludeFrom(status)
  // Only the record knows `invalid-result`: for the service, such an execution succeeded.
  return shown === 'success' && recorded.outcome === 'invalid-result' ? recorded.outcome : shown
}

function hasFailed({ outcome }: EarlierExecution): boolean {
  return outcome !== undefined && outcome !== 'success'
}
