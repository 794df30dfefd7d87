/**
 * Writes a batch as JUnit XML, with one test case for each run. The XML is valid for the schemas of
 * JUnit and of Jenkins' xUnit plugin. Both schemas require the order skipped, error, failure,
 * system-out in a test case, and forbid attributes on `skipped`.
 */
import { conclusions, type Conclusion } from '../../execution/conclusion.ts'
import type { Show } from '../text/secrets.ts'
import { escapeMarkup, flatten } from '../text/untrusted-text.ts'
import type { BatchEnd } from './end.ts'
import { describeRun, durationOf, nameRun, type ShownRun } from './runs.ts'

type Kind = (typeof conclusions)[Conclusion]['junit']

/** Yields the XML in pieces. `logOf` returns the end of a run's log, or '' if there is no log. */
export async function* junitReport(
  { automation, startedOn, duration }: Pick<BatchEnd, 'automation' | 'startedOn' | 'duration'>,
  runs: readonly ShownRun[],
  logOf: (run: ShownRun) => Promise<string>,
  show: Show,
): AsyncGenerator<string> {
  const suite = xml(flatten(show(automation)))
  const count = (kind: Kind) =>
    runs.filter((run) => conclusions[run.conclusion].junit === kind).length
  const totals = `name="${suite}" tests="${runs.length}" failures="${count('failure')}" errors="${count('error')}" time="${seconds(duration)}"`
  const startedAt = startedOn.toISOString().slice(0, 19)
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${totals}>\n`
  yield `<testsuite ${totals} skipped="${count('skipped')}" timestamp="${startedAt}">\n`
  for (const run of runs) yield testCase(suite, run, await logOf(run))
  yield '</testsuite>\n</testsuites>\n'
}

function testCase(suite: string, run: ShownRun, log: string): string {
  const duration = durationOf(run)
  const time = duration === undefined ? '' : ` time="${seconds(duration)}"`
  const output = log === '' ? '' : `<system-out>${xml(log)}</system-out>`
  return `<testcase name="${xml(nameRun(run))}" classname="${suite}"${time}>${problem(run)}${output}</testcase>\n`
}

function problem(run: ShownRun): string {
  const kind = conclusions[run.conclusion].junit
  const words = xml(describeRun(run))
  if (kind === 'passed') return ''
  if (kind === 'skipped') return `<skipped>${words}</skipped>`
  const message = run.cause === undefined ? words : xml(run.cause)
  return `<${kind} message="${message}" type="${run.conclusion}">${words}</${kind}>`
}

/** Escapes a cleaned text. Replaces U+FFFE and U+FFFF, because XML 1.0 does not allow them. */
function xml(text: string): string {
  return escapeMarkup(text.replace(/[\ufffe\uffff]/g, '\ufffd'))
}

function seconds(span: number): string {
  return (Math.max(0, span) / 1000).toFixed(3)
}
