/** A run of a batch as people may see it. */
import type { RunRecord } from '../../execution/batch/record.ts'
import { conclusions, type Category } from '../../execution/conclusion.ts'
import { describeElapsed } from '../quantities.ts'
import type { Show } from '../text/secrets.ts'
import { inline, maxWords } from '../text/untrusted-text.ts'
import { stopWords } from './stop.ts'

/** Every text in it is free of secrets, inert, one line, and bounded. */
export interface ShownRun {
  /** As people count: from 1, in the whole list. */
  number: number
  label: string | undefined
  executionId: string | undefined
  conclusion: RunRecord['conclusion']
  category: Category
  /** How many executions it took. */
  attempts: number
  resumed: boolean
  /** Milliseconds since the step's start. */
  startedAt: number | undefined
  endedAt: number | undefined
  cause: string | undefined
  stopReason: RunRecord['stopReason']
  /** Relative to the batch's folder, with `/`. */
  resultFile: string | undefined
  logFile: string | undefined
  failsStep: boolean
}

const maxLabelLength = 80
const maxIdLength = 100

/** `show` is `Secrets.show`: it sees each text before anything of it is cut. */
export function showRun(record: RunRecord, show: Show): ShownRun {
  const shorten = (text: string | undefined, limit: number) =>
    text === undefined ? undefined : inline(show(text), limit) || undefined
  return {
    number: record.index + 1,
    label: shorten(record.label, maxLabelLength),
    executionId: shorten(record.executionId, maxIdLength),
    conclusion: record.conclusion,
    category: conclusions[record.conclusion].category,
    attempts: record.attempts.length,
    resumed: record.resumed,
    startedAt: record.startedAt,
    endedAt: record.endedAt,
    cause: shorten(causeOf(record), maxWords),
    stopReason: record.stopReason,
    resultFile: record.resultFile,
    logFile: record.logFile,
    failsStep: record.failsStep,
  }
}

/** Why it did not succeed, what is missing of it, or why it was not started. */
export function causeOf({ cause, stopReason }: RunRecord): string | undefined {
  return cause ?? (stopReason && stopWords[stopReason])
}

/** Of a seed: before its run has come to anything. */
export function nameSeed({ index, label }: Pick<RunRecord, 'index' | 'label'>, show: Show): string {
  const shown = label === undefined ? undefined : inline(show(label), maxLabelLength) || undefined
  return nameRun({ number: index + 1, label: shown })
}

export function durationOf({ startedAt, endedAt }: Pick<ShownRun, 'startedAt' | 'endedAt'>) {
  if (startedAt === undefined || endedAt === undefined) return undefined
  return Math.max(0, endedAt - startedAt)
}

/** `Run 12 (Berlin)`. */
export function nameRun({ number, label }: Pick<ShownRun, 'number' | 'label'>): string {
  return label === undefined ? `Run ${number}` : `Run ${number} (${label})`
}

/** One line: which run, how it ended, after how long, why, and under which id it is found. */
export function describeRun(run: ShownRun): string {
  const duration = durationOf(run)
  const span = duration === undefined ? '' : ` after ${describeElapsed(duration)}`
  return `${describeOutcome(run, span)}${whichExecution(run)}`
}

/** `Run 12 (Berlin) failed: ValueError: no rows`; `span`: what stands after the verb. */
export function describeOutcome(run: ShownRun, span = ''): string {
  const { category, cause, conclusion } = run
  // Of a run that succeeded: what is missing of it.
  const why = cause === undefined ? '' : `${category === 'succeeded' ? ', but ' : ': '}${cause}`
  return `${nameRun(run)} ${conclusions[conclusion].verb}${span}${why}`
}

function whichExecution({ executionId, attempts, resumed }: ShownRun): string {
  const facts = [
    ...(executionId === undefined ? [] : [`execution ${executionId}`]),
    ...(attempts > 1 ? [`the last of ${attempts}`] : []),
    ...(resumed ? ['taken over'] : []),
  ]
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`
}
