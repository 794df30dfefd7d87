/**
 * Writes a batch as JUnit XML, with one test case for each run. The XML is valid for the schemas of
 * JUnit and of Jenkins' xUnit plugin. Both schemas require the order skipped, error, failure,
 * system-out in a test case, and forbid attributes on `skipped`.
 */
import type { BatchReport, BatchRow } from '../../execution/batch/batch-types.ts'
import { conclusions, type Conclusion } from '../../execution/conclusion.ts'
import type { Show } from '../text/secrets.ts'
import { escapeMarkup, flatten } from '../text/untrusted-text.ts'
import { describeRun, nameRun, shownRow } from './runs.ts'

type Kind = (typeof conclusions)[Conclusion]['junit']

/** Yields the XML in pieces. `logOf` returns the end of a run's log, or '' if there is no log. */
export async function* junitReport(
  automation: string,
  { rows, startedOn, duration }: BatchReport,
  logOf: (row: BatchRow) => Promise<string>,
  show: Show,
): AsyncGenerator<string> {
  const suite = xml(flatten(show(automation)))
  const count = (kind: Kind) => rows.filter((row) => kindOf(row) === kind).length
  const totals = `name="${suite}" tests="${rows.length}" failures="${count('failure')}" errors="${count('error')}" time="${seconds(duration)}"`
  const startedAt = startedOn.toISOString().slice(0, 19)
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${totals}>\n`
  yield `<testsuite ${totals} skipped="${count('skipped')}" timestamp="${startedAt}">\n`
  const nameOf = namesOf(rows.map((row) => shownRow(row, show)))
  for (const row of rows) {
    const shown = shownRow(row, show)
    yield testCase(suite, nameOf(shown), shown, await logOf(row))
  }
  yield '</testsuite>\n</testsuites>\n'
}

/**
 * Returns the name of a test case: the label, so that reporters know a test again when the list of
 * seeds changes. If labels are equal or missing, the name has the number of the run.
 */
function namesOf(rows: readonly BatchRow[]): (row: BatchRow) => string {
  const counts = new Map<string | undefined, number>()
  for (const { label } of rows) counts.set(label, (counts.get(label) ?? 0) + 1)
  return (row) =>
    row.label !== undefined && counts.get(row.label) === 1 ? row.label : nameRun(row)
}

function testCase(suite: string, name: string, run: BatchRow, log: string): string {
  const time = run.duration === undefined ? '' : ` time="${seconds(run.duration)}"`
  const output = log === '' ? '' : `<system-out>${xml(log)}</system-out>`
  return `<testcase name="${xml(name)}" classname="${suite}"${time}>${problem(run)}${output}</testcase>\n`
}

function kindOf({ facts }: BatchRow): Kind {
  return conclusions[facts.conclusion].junit
}

function problem(run: BatchRow): string {
  const kind = kindOf(run)
  const words = xml(describeRun(run))
  if (kind === 'passed') return ''
  if (kind === 'skipped') return `<skipped>${words}</skipped>`
  const { cause, conclusion } = run.facts
  const message = cause === null ? words : xml(cause)
  return `<${kind} message="${message}" type="${conclusion}">${words}</${kind}>`
}

/** Escapes a cleaned text. Replaces U+FFFE and U+FFFF, because XML 1.0 does not allow them. */
function xml(text: string): string {
  return escapeMarkup(text.replace(/[\ufffe\uffff]/g, '\ufffd'))
}

function seconds(span: number): string {
  return (Math.max(0, span) / 1000).toFixed(3)
}
