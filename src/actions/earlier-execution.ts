/** Asks what an earlier attempt of this step started, and what became of it. */
import { Deadline } from '../clock.ts'
import { messageOf } from '../errors.ts'
import type { Outcome } from '../execution/conclusion.ts'
import type { KnownExecution } from '../execution/follow-execution.ts'
import { probe, type ProbeResult } from '../execution/probe.ts'
import { grace } from '../execution/poll-state.ts'
import type { FailureKind } from '../messages/failure.ts'
import { describeRerun, type EarlierFacts, type Situation } from '../messages/rerun.ts'
import type { OnRerun } from '../runner/inputs/again.ts'
import type { Found } from '../runner/memory/memory.ts'
import type { EarlierExecution } from '../runner/memory/record.ts'
import type { Step } from '../runner/step.ts'
import { attemptOf } from '../runner/workflow-run.ts'
import type { AutomationService } from '../service/client.ts'
import { hideLinks } from './progress.ts'
import type { Recorder } from './recorder.ts'
import { courses, situationByLook, situationByRecord } from './rerun-rules.ts'

/** What a step does about what an earlier attempt of its job started. */
export type Earlier =
  /** Starts anew. */
  | { course: 'start' }
  | {
      course: 'follow' | 'hand-over'
      executionId: string
      standing: Standing
      /** Its end, where that was just seen. */
      ending: KnownExecution['ending']
    }
  | { course: 'fail'; executionId: string; failure: FailureKind }

/** How it stands, as far as is known. */
type Standing = Outcome | 'running' | 'not-learned'

interface Asking {
  action: 'run' | 'start'
  onRerun: OnRerun
  recorder: Recorder
  service: AutomationService
}

/** What was learned. `look`: undefined where the record says enough. */
interface Learned {
  situation: Situation
  found: Found
  look: ProbeResult | undefined
}

export async function recallEarlier(asking: Asking, step: Step): Promise<Earlier> {
  const { action, recorder } = asking
  const learned = await learn(asking, step)
  const course = courses[learned.situation][action]
  const said = describeRerun(learned.situation, course, factsOf(learned, step))
  if (said.kind === 'line') step.log.info(said.text)
  else step.log.note(said.name, said.values)

  const record = recordIn(learned.found)
  if (course === 'start' || !record || record.kind === 'unknown') return { course: 'start' }
  const { executionId } = record
  recorder.takeOver(record)
  step.outputs.set('execution-id', executionId)
  step.outputs.set('resumed', 'true')
  const { look } = learned
  if (course === 'fail') return { course, executionId, failure: failureBy(look) }
  const ending = look?.kind === 'finished' ? look : undefined
  return { course, executionId, standing: standingOf(record, look), ending }
}

function standingOf(record: EarlierExecution, look: ProbeResult | undefined): Standing {
  if (look?.kind === 'finished') return look.outcome
  if (record.kind === 'told') return record.conclusion
  return look?.kind === 'running' ? 'running' : 'not-learned'
}

async function learn({ onRerun, recorder, service }: Asking, step: Step): Promise<Learned> {
  const found = await recorder.find()
  const isCutShort = found.kind === 'unreadable' && step.cancelled.aborted
  const situation = isCutShort ? 'cancelled' : situationByRecord(found, onRerun)
  if (situation) return { situation, found, look: undefined }
  const { clock, random, cancelled } = step
  using deadline = new Deadline(clock, grace, cancelled)
  const look = await probe(idIn(found), {
    service,
    clock,
    random,
    cancelled,
    deadline,
    listener: {
      onStatus: (status) => hideLinks(status, step, { masked: true }),
      onTrouble: () => undefined,
      onRecovery: () => undefined,
    },
  })
  return { situation: situationByLook(look, onRerun), found, look }
}

function recordIn(found: Found): EarlierExecution | undefined {
  return found.kind === 'found' ? found.record : undefined
}

function idIn(found: Found): string {
  const record = recordIn(found)
  return record === undefined || record.kind === 'unknown' ? '' : record.executionId
}

function factsOf({ found, look }: Learned, { secrets, environment }: Step): EarlierFacts {
  const record = recordIn(found)
  const told = record?.kind === 'told' ? record.conclusion : ''
  return {
    attempt: record?.attempt ?? attemptOf(environment),
    executionId: idIn(found),
    conclusion: look?.kind === 'finished' ? look.outcome : told,
    why: found.kind === 'unreadable' ? found.why : secrets.words(whyNotLearned(look)),
  }
}

function whyNotLearned(look: ProbeResult | undefined): string {
  if (look === undefined || !('failure' in look)) return ''
  return look.failure ? messageOf(look.failure) : 'no answer came'
}

/** How `start` fails where it may start nothing and cannot hand over what runs. */
function failureBy(look: ProbeResult | undefined): FailureKind {
  if (look?.kind !== 'refused') return { kind: 'cancelled', ended: false }
  const { status, words } = look.failure
  return { kind: 'credentials-refused', status, words }
}
