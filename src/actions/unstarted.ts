/** What to say when a start did not clearly happen: there is no execution to follow. */
import { messageOf } from '../errors.ts'
import {
  describeFailure,
  describeProblem,
  type Annotation,
  type FailureKind,
} from '../messages/annotation.ts'
import type { Step, Verdict } from '../runner/step.ts'
import type { SummaryFacts } from '../messages/summary/facts.ts'
import type { SendOutcome } from '../service/send-at-most-once.ts'
import type { StartRequest } from '../service/requests.ts'
import { adviseOn, type Advice } from '../messages/advice.ts'
import { addSummary } from './summarising.ts'

export interface FailedStart {
  start: StartRequest
  delivery: Exclude<SendOutcome<never>, { kind: 'accepted' }>
  /** Whether the job summary tells of it. */
  summary: boolean
}

export async function reportUnstarted(
  { start, delivery, summary }: FailedStart,
  step: Step,
): Promise<Verdict> {
  const isClear = delivery.kind === 'refused'
  const { annotation, facts } = isClear
    ? notStarted(start, delivery.failure, step)
    : maybeStarted(start, delivery.failure, step)
  step.log.verdict(annotation.title, false)
  if (summary) await addSummary(facts, step)
  return { kind: 'failed', annotation }
}

interface Telling {
  annotation: Annotation
  /** For the job summary. */
  facts: SummaryFacts
}

/** The service did not take the start: nothing runs, and no conclusion is due. */
function notStarted({ project, automation }: StartRequest, failure: unknown, step: Step): Telling {
  const title = `${automation} was not started`
  const { why, hint } = step.cancelled.aborted ? cancelledBefore : adviseOn(failure, 'start', step)
  const annotation = describeProblem({ title, message: `${why} Nothing was started.`, hint })
  return {
    annotation,
    facts: {
      conclusion: 'not-started',
      failed: true,
      automation,
      project,
      message: annotation.message,
    },
  }
}

const cancelledBefore: Advice = {
  why: 'The step was cancelled before.',
  hint: 'Run this job again when you want it to run.',
}

/** It may or may not have taken it: it is not sent again, and somebody has to look. */
function maybeStarted(
  { project, automation }: StartRequest,
  reason: unknown,
  { cancelled, secrets }: Step,
): Telling {
  const why = cancelled.aborted ? 'no answer had come yet' : secrets.words(messageOf(reason))
  const failure: FailureKind = { kind: 'unknown-start', why, cancelled: cancelled.aborted }
  return {
    annotation: describeFailure({ failure, automation }),
    facts: { conclusion: 'unknown', failed: true, automation, project, failure },
  }
}
