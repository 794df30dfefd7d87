/** Decides what a step does about an execution that an earlier attempt of the job started. */
import { Deadline } from '../clock.ts'
import { messageOf } from '../errors.ts'
import type { Ending } from '../execution/ending.ts'
import type { KnownExecution } from '../execution/follow-execution.ts'
import {
  maxProbeTime,
  probe,
  type ProbeCollaborators,
  type ProbeResult,
} from '../execution/probe.ts'
import {
  decide,
  earlierOutcome,
  needsProbe,
  type EarlierRun,
  type PriorState,
  type RerunAction,
  type StepKind,
} from '../execution/rerun.ts'
import {
  cancelledBeforeFound,
  describeRerun,
  type EarlierFacts,
  type RerunLine,
  describeBatchRerun,
  type EarlierRuns,
} from '../messages/rerun.ts'
import type { BatchInputs } from '../runner/inputs/read-batch.ts'
import { onlyRun, type StepRecord } from '../runner/record/format.ts'
import type { Recorder } from '../runner/record/recorder.ts'
import type { EarlierRecord } from '../runner/record/store.ts'
import type { Step } from '../runner/step.ts'
import { attemptOf } from '../runner/environment.ts'
import type { AutomationService } from '../service/client.ts'
import { maskLinks } from '../messages/text/secrets.ts'
import { reportCheck } from './progress.ts'

/** The decision about an execution that an earlier attempt of the job started. */
export type Earlier = { action: 'start' } | EarlierExecution

export interface EarlierExecution extends KnownExecution {
  action: Exclude<RerunAction, 'start'>
  state: PriorState
  /** The reason why the action `start` fails. Undefined if the action does not fail. */
  obstacle: Extract<Ending, { kind: 'refused' | 'cancelled' }> | undefined
}

export interface EarlierContext {
  kind: StepKind
  recorder: Recorder
  service: AutomationService
  /** The time limit of a step that waits for a run. */
  deadline?: Deadline
}

/**
 * Returns and logs what the step does about an earlier execution. Reads the record of the earlier
 * attempt, and requests the state of the execution if necessary. The first attempt of a job reads
 * nothing, and starts a run.
 */
export async function findEarlier(context: EarlierContext, step: Step): Promise<Earlier> {
  const { kind, recorder, deadline } = context
  const onRerun = recorder.rerunMode
  if (!onRerun) return { action: 'start' }
  await recorder.read()
  const recorded = recorder.earlier(onlyRun)
  const probed = needsProbe(recorded, onRerun)
    ? await ask(recorded.executionId, context, step)
    : undefined
  const decision = decide(kind, recorded, probed, onRerun)
  logRerun(describeRerun({ ...decision, ...earlierFacts(recorded, probed, step) }), step)
  if (decision.action === 'start') return { action: 'start' }

  const { state, action, executionId, before } = decision
  step.outputs.set('execution-id', executionId)
  step.outputs.set('resumed', 'true')
  const obstacle = action === 'fail' ? obstacleOf(probed) : undefined
  const isFinal = deadline?.remaining() === 0 || probed?.kind === 'refused'
  const last = isFinal && probed && 'ending' in probed ? probed.ending : undefined
  const ending = decision.ending ?? last
  return { action, executionId, state, ending, before, obstacle }
}

function logRerun(said: RerunLine, { log, cancelled }: Step): void {
  if (typeof said === 'string') log.info(said)
  // A cancelled step did not finish reading the record, so it must not call the record unreadable.
  else if (said.name === 'rerun-memory-unreadable' && cancelled.aborted) {
    log.info(cancelledBeforeFound)
  } else log.note(said.name, said.values)
}

async function ask(
  executionId: string,
  { service, deadline: ofStep }: EarlierContext,
  step: Step,
): Promise<ProbeResult> {
  const { clock, random, cancelled } = step
  const span = Math.min(maxProbeTime, ofStep?.remaining() ?? Infinity)
  using deadline = new Deadline(clock, span, cancelled)
  const listener: ProbeCollaborators['listener'] = {
    onStatus: (status) => maskLinks(status, step.secrets),
    onCheck: (_, state, pause) => reportCheck(state, pause, step),
  }
  return await probe(executionId, { service, clock, random, cancelled, deadline, listener })
}

function earlierFacts(
  recorded: EarlierRun,
  probed: ProbeResult | undefined,
  { secrets, environment }: Step,
): Pick<EarlierFacts, 'attempt' | 'executionId' | 'conclusion' | 'why'> {
  const known = 'conclusion' in recorded ? recorded.conclusion : ''
  return {
    attempt: 'attempt' in recorded ? recorded.attempt : attemptOf(environment),
    executionId: 'executionId' in recorded ? recorded.executionId : '',
    conclusion: earlierOutcome(recorded, probed) ?? known,
    why: recorded.kind === 'unreadable' ? recorded.why : secrets.words(whyUnavailable(probed)),
  }
}

function whyUnavailable(probed: ProbeResult | undefined): string {
  if (probed === undefined || !('failure' in probed)) return ''
  return probed.failure ? messageOf(probed.failure) : 'no answer arrived'
}

function obstacleOf(probed: ProbeResult | undefined): EarlierExecution['obstacle'] {
  return probed?.kind === 'refused'
    ? { kind: 'refused', status: undefined, failure: probed.failure }
    : { kind: 'cancelled', status: undefined }
}

/** Logs how many runs of each state are in the record of an earlier attempt. */
export function reportEarlierRuns(
  record: EarlierRecord,
  names: readonly string[],
  inputs: Pick<BatchInputs, 'rerun' | 'retrying'>,
  step: Step,
): void {
  const facts = record.kind === 'found' ? countRecorded(record.record, names, inputs) : record
  for (const line of describeBatchRerun(facts, attemptOf(step.environment))) logRerun(line, step)
}

function countRecorded(
  { attempt, isClosed, isReported, runs }: StepRecord,
  names: readonly string[],
  { rerun: { onRerun }, retrying }: Pick<BatchInputs, 'rerun' | 'retrying'>,
): EarlierRuns {
  const counts = { succeeded: 0, open: 0, startedAnew: 0, unclear: 0 }
  const isDone = isReported && onRerun !== 'reuse'
  for (const name of names) {
    const run = runs.get(name)
    if (run?.kind === 'start-unknown') counts.unclear += 1
    else if (run?.kind === 'started') {
      counts.open += 1
      if (retrying.retries > 0 || run.attempt < attempt) counts.startedAnew += 1
    } else if (run?.conclusion === 'success' && !isDone) counts.succeeded += 1
  }
  return {
    kind: 'found',
    attempt,
    isReported: isDone,
    ...counts,
    total: names.length,
    isClosed,
  }
}
