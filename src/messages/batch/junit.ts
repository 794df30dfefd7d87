/**
 * Writes a batch as JUnit XML, with one test case for each run. The XML is valid for the schemas of
 * JUnit and of Jenkins' xUnit plugin. Both schemas require the order skipped, error, failure,
 * system-out in a test case, and forbid attributes on `skipped`.
 */
import type { BatchReport, BatchRow } from '../../execution/batch/batch.ts'
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
  for (const row of rows) yield testCase(suite, shownRow(row, show), await logOf(row))
  yield '</testsuite>\n</testsuites>\n'
}

function testCase(suite: string, run: BatchRow, log: string): string {
  const time = run.duration === undefined ? '' : ` time="${seconds(run.duration)}"`
  const output = log === '' ? '' : `<system-out>${xml(log)}</system-out>`
  return `<testcase name="${xml(nameRun(run))}" classname="${suite}"${time}>${problem(run)}${output}</testcase>\n`
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
