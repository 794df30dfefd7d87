/** Describes the runs of a batch, in words for people and as JSON. */
import type { BatchRow, BatchSeed } from '../../execution/batch/batch-types.ts'
import { conclusions, type Category } from '../../execution/conclusion.ts'
import type { End } from '../../execution/report.ts'
import { maxIdLength } from '../../service/names.ts'
import { failureOfEnd, type EndFacts } from '../failure.ts'
import { failureOfLoss } from '../loss.ts'
import { describeElapsed, describeSize } from '../quantities.ts'
import { printFacts } from '../row-of.ts'
import type { Show } from '../text/secrets.ts'
import { inline } from '../text/untrusted-text.ts'

const maxLabelLength = 80
const maxCauseLength = 500

/** Returns the run for people: with label, execution id and cause redacted, then shortened. */
export function shownRow(row: BatchRow, show: Show): BatchRow {
  const shorten = (text: string | null | undefined, limit: number) =>
    inline(show(text ?? ''), limit) || undefined
  const { execution_id, execution_url, cause } = row.facts
  return {
    ...row,
    label: shorten(row.label, maxLabelLength),
    facts: {
      ...row.facts,
      execution_id: shorten(execution_id, maxIdLength) ?? null,
      execution_url: execution_url === null ? null : show(execution_url),
      cause: shorten(cause, maxCauseLength) ?? null,
    },
  }
}

export function categoryOf({ facts }: BatchRow): Category {
  return conclusions[facts.conclusion].category
}

/** Returns the redacted name of the run of a seed. The run may not have ended yet. */
export function nameSeed({ number, label = '' }: BatchSeed, show: Show): string {
  return nameRun({ number, label: inline(show(label), maxLabelLength) || undefined })
}

/** Returns the name of a run, such as `Run 12 (Berlin)`. */
export function nameRun({ number, label }: Pick<BatchRow, 'number' | 'label'>): string {
  return label === undefined ? `Run ${number}` : `Run ${number} (${label})`
}

/** Returns one line with the run, its end, duration, cause and execution id. */
export function describeRun(run: BatchRow): string {
  const span = run.duration === undefined ? '' : ` after ${describeElapsed(run.duration)}`
  return `${describeOutcome(run, span)}${whichExecution(run)}`
}

/** Returns how a run ended, such as `Run 12 (Berlin) failed: ValueError: no rows`. */
export function describeOutcome(run: BatchRow, span = ''): string {
  const { cause, conclusion } = run.facts
  // If the run succeeded, `cause` says why its result is missing.
  const why = cause === null ? '' : `${conclusion === 'success' ? ', but ' : ': '}${cause}`
  return `${nameRun(run)} ${conclusions[conclusion].verb}${span}${why}`
}

function whichExecution({ facts, isTakenOver }: BatchRow): string {
  const { execution_id, execution_count } = facts
  const words = [
    ...(execution_id === null ? [] : [`execution ${execution_id}`]),
    ...(execution_count > 1 ? [`the last of ${execution_count}`] : []),
    ...(isTakenOver ? ['taken over'] : []),
  ]
  return words.length === 0 ? '' : ` (${words.join(', ')})`
}

/**
 * Returns the advice for this run alone. The batch has its own sentence on the re-run. `othersRan` is
 * true if other runs of the batch were running.
 */
export function nextStepAfter(
  end: End,
  facts: Omit<EndFacts, 'rerunTakesOver'>,
  othersRan: boolean,
): string | undefined {
  const rerunTakesOver = false
  const failure =
    failureOfEnd(end, { ...facts, rerunTakesOver }) ??
    ('executionId' in end ? failureOfLoss(end, undefined, rerunTakesOver) : undefined)
  // The service answers checks of other runs, so its address is right.
  if (end.kind === 'lost' && end.why === 'not-found' && othersRan) return lookForRun
  const isLimit = end.kind === 'refused' && othersRan
  return failure && `${failure.next}${isLimit ? orFewer : ''}`
}

const lookForRun = "Look for this run in the service's dashboard."
const orFewer = ' Or lower max-parallel: other runs were running, and the service may limit them.'

// The maximum size of the output `results`, in bytes. A job can have at most 1 MB of outputs.
export const maxResultsOutput = 120 * 1024

const resultFacts = [
  'execution_id',
  'conclusion',
  'execution_count',
  'duration_seconds',
  'cause',
  'result_file',
  'log_file',
] as const

/** Returns the output `results`, a JSON array. Returns '' if the array is larger than 120 KiB. */
export function resultsOutput(rows: readonly BatchRow[], show: Show): string {
  const lines = rows.map(({ number, label, facts }) => {
    const shown = resultFacts.map((name) => [name, facts[name]] as const)
    return { number, label: label ?? null, ...Object.fromEntries(shown) }
  })
  const results = printFacts(lines, show)
  return Buffer.byteLength(results) > maxResultsOutput ? '' : results
}

export const resultsTooLarge = `The output results would be larger than ${describeSize(maxResultsOutput)}, so it is empty. Use the output results-file.`

/** Returns one line of `results.jsonl`. `result` is one line of JSON, or undefined. */
export function resultLine(
  { number, label, facts }: BatchRow,
  result: string | undefined,
  show: Show,
): string {
  const line = printFacts({ number, label: label ?? null, ...facts }, show)
  return result === undefined ? `${line}\n` : `${line.slice(0, -1)},"result":${result}}\n`
}
