/** Describes the runs of a batch, in words for people and as JSON. */
import type { RunRecord, StopCause } from '../../execution/batch/batch.ts'
import { conclusions, type Category } from '../../execution/conclusion.ts'
import { runMembers, type RunFacts, type StepFacts } from '../execution-record.ts'
import { maxIdLength } from '../../service/names.ts'
import { describeElapsed } from '../quantities.ts'
import type { Show } from '../text/secrets.ts'
import { inline, maxWords } from '../text/untrusted-text.ts'

/** A run for people. Label, execution id and cause are redacted and limited in length. */
export interface ShownRun extends Omit<RunRecord, 'attempts'> {
  category: Category
  /** The link to the run in the service's dashboard. Undefined if there is no link. */
  executionUrl: string | undefined
  executions: number
}

/** The reason why a run was not started, for each reason why the batch stopped starting runs. */
export const stopWords: Readonly<Record<StopCause, string>> = {
  cancelled: 'the step was cancelled',
  'timed-out': 'the input timeout ran out',
  credentials: 'the service refused the credentials',
  'fail-fast': 'an earlier run failed (fail-fast)',
  'internal-error': 'this action had an internal error',
}

const maxLabelLength = 80

/** Returns the run for people. `show` redacts each text before the text is cut. */
export function showRun(record: RunRecord, show: Show, executionUrl?: string): ShownRun {
  const shorten = (text: string | undefined, limit: number) =>
    text === undefined ? undefined : inline(show(text), limit) || undefined
  const { attempts, ...facts } = record
  return {
    ...facts,
    category: conclusions[record.conclusion].category,
    label: shorten(record.label, maxLabelLength),
    executionId: shorten(record.executionId, maxIdLength),
    executionUrl: executionUrl === undefined ? undefined : show(executionUrl),
    executions: attempts.length,
    cause: shorten(causeOrStop(record), maxWords),
  }
}

/** Returns why the run failed or was not started, or why its result is missing. */
function causeOrStop({ cause, stopReason }: RunRecord): string | undefined {
  return cause ?? (stopReason && stopWords[stopReason])
}

/** Returns the redacted name of the run of a seed. The run may not have ended yet. */
export function nameSeed({ index, label }: Pick<RunRecord, 'index' | 'label'>, show: Show): string {
  const shown = label === undefined ? undefined : inline(show(label), maxLabelLength) || undefined
  return nameRun({ index, label: shown })
}

export function durationOf({ startedAt, endedAt }: Pick<ShownRun, 'startedAt' | 'endedAt'>) {
  if (startedAt === undefined || endedAt === undefined) return undefined
  return Math.max(0, endedAt - startedAt)
}

/** Returns the name of a run, such as `Run 12 (Berlin)`. */
export function nameRun({ index, label }: Pick<ShownRun, 'index' | 'label'>): string {
  return label === undefined ? `Run ${index + 1}` : `Run ${index + 1} (${label})`
}

/** Returns one line with the run, its end, duration, cause and execution id. */
export function describeRun(run: ShownRun): string {
  const duration = durationOf(run)
  const span = duration === undefined ? '' : ` after ${describeElapsed(duration)}`
  return `${describeOutcome(run, span)}${whichExecution(run)}`
}

/** Returns how a run ended, such as `Run 12 (Berlin) failed: ValueError: no rows`. */
export function describeOutcome(run: ShownRun, span = ''): string {
  const { category, cause, conclusion } = run
  // If the run succeeded, `cause` says why its result is missing.
  const why = cause === undefined ? '' : `${category === 'succeeded' ? ', but ' : ': '}${cause}`
  return `${nameRun(run)} ${conclusions[conclusion].verb}${span}${why}`
}

function whichExecution({ executionId, executions, resumed }: ShownRun): string {
  const facts = [
    ...(executionId === undefined ? [] : [`execution ${executionId}`]),
    ...(executions > 1 ? [`the last of ${executions}`] : []),
    ...(resumed ? ['taken over'] : []),
  ]
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`
}

// The maximum size of the output `results`, in bytes. A job can have at most 1 MB of outputs.
export const maxOutput = 256 * 1024

/** Returns the members of a line of `results.jsonl`, without the result. */
function lineMembers(record: RunRecord, step: StepFacts, show: Show) {
  const { index, label, executionId, conclusion, resultFile, logFile, followed } = record
  const run: RunFacts = {
    executionId,
    conclusion,
    attempts: record.attempts.length,
    duration: durationOf(record),
    cause: causeOrStop(record),
    resultFile,
    logFile,
    followed,
  }
  return { index, label: label === undefined ? null : show(label), ...runMembers(run, step, show) }
}

const membersOfOutput = [
  'index',
  'label',
  'execution_id',
  'conclusion',
  'attempts',
  'duration_seconds',
  'cause',
  'result_file',
  'log_file',
]

/** Returns the output `results`, a JSON array. Returns '' if the array is larger than 256 KiB. */
export function resultsOutput(records: readonly RunRecord[], step: StepFacts, show: Show): string {
  const lines = records.map((record) => lineMembers(record, step, show))
  const results = JSON.stringify(lines, membersOfOutput)
  return Buffer.byteLength(results) > maxOutput ? '' : results
}

export const resultsTooLarge =
  'The output results would be larger than 256 KiB, so it is empty. Use the output results-file.'

/** Returns one line of `results.jsonl`. `result` is one line of JSON, or undefined. */
export function resultLine(
  record: RunRecord,
  result: string | undefined,
  step: StepFacts,
  show: Show,
): string {
  const line = JSON.stringify(lineMembers(record, step, show))
  return result === undefined ? `${line}\n` : `${line.slice(0, -1)},"result":${result}}\n`
}
