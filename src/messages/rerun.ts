/** The first line of a step whose job runs again: what an earlier attempt left, and what is done. */
import type { Conclusion } from '../execution/conclusion.ts'
import type { NoteName, NoteValues } from './catalogue.ts'

/** What is known of what an earlier attempt of the same step left. */
export type Situation =
  | 'no-record'
  | 'memory-unreadable'
  /** Its start may have been accepted: there is no id. */
  | 'start-unknown'
  /** Its end was reported: published, with its outputs set. */
  | 'told'
  | 'running'
  /** Over with success, its end not reported. */
  | 'succeeded'
  /** Over with `error`, `container-error` or `stopped`, and not reported. */
  | 'failed'
  /** A success, reported or not, and the workflow wants it again. */
  | 'reusable'
  | 'not-learned'
  | 'credentials-refused'
  | 'not-found'
  /** The step was cancelled while it asked. */
  | 'cancelled'

/** What a step does then. All but `start` start nothing. */
export type Course =
  /** Starts anew. */
  | 'start'
  /** Follows the earlier execution to its end and publishes that. */
  | 'follow'
  /** Hands its id over, and passes. */
  | 'hand-over'
  /** Fails, with its id. */
  | 'fail'

/** What is known of the earlier execution. */
export interface EarlierFacts {
  /** The attempt that started it; of this step where there is no record. */
  attempt: number
  /** Empty where it is not known. */
  executionId: string
  /** Empty where it is not over. */
  conclusion: Conclusion | ''
  /** Why something is not known, fit to be shown; empty where all is. */
  why: string
}

const ends: Record<Course, string> = {
  start: 'starting a new run',
  follow: 'waiting for it; nothing new is started',
  'hand-over': 'handing its id over; nothing new is started',
  fail: 'nothing is started',
}

const cancelledBeforeFound =
  'This step was cancelled while it looked for what an earlier attempt of this job had started: nothing is started'

/** Said as a line of the log, or as a warning of the catalogue. */
export type RerunLine =
  | { kind: 'line'; text: string }
  | { kind: 'warning'; name: RerunWarning; values: NoteValues<RerunWarning> }

type RerunWarning = Extract<NoteName, `rerun-${string}`>

export function describeRerun(
  situation: Situation,
  course: Course,
  facts: EarlierFacts,
): RerunLine {
  const values = { attempt: String(facts.attempt), id: facts.executionId, why: facts.why }
  switch (situation) {
    case 'memory-unreadable':
    case 'start-unknown':
    case 'not-found':
      return { kind: 'warning', name: `rerun-${situation}`, values }
    case 'not-learned':
      if (course === 'hand-over') return { kind: 'warning', name: 'rerun-not-learned', values }
      return line(facts, `may still be running, as far as is known (${facts.why})`, ends[course])
    case 'no-record':
      return {
        kind: 'line',
        text: `Attempt ${facts.attempt}: no earlier attempt of this job left a record of this step; starting`,
      }
    case 'told':
      return line(facts, ended(facts, 'which has been reported already'), ends[course])
    case 'running':
      return line(facts, 'is still running', ends[course])
    case 'succeeded':
    case 'failed':
      return line(facts, ended(facts, 'which no attempt has reported yet'), handingOn(course))
    case 'reusable':
      return line(facts, 'ended with success', `${handingOn(course)} (on-rerun: reuse)`)
    case 'credentials-refused':
      return line(facts, `can't be asked for (${facts.why})`, ends.fail)
    case 'cancelled':
      if (facts.executionId === '') return { kind: 'line', text: cancelledBeforeFound }
      return line(facts, 'was being asked for when this step was cancelled', ends.fail)
  }
}

function line({ attempt, executionId }: EarlierFacts, state: string, done: string): RerunLine {
  const text = `Execution ${executionId}, which attempt ${attempt} started, ${state}: ${done}`
  return { kind: 'line', text }
}

function ended({ conclusion }: EarlierFacts, isReported: string): string {
  return `ended with ${conclusion}, ${isReported}`
}

function handingOn(course: Course): string {
  return course === 'follow' ? 'handing on what it left; nothing new is started' : ends[course]
}
