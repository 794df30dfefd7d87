/**
 * A batch as JUnit XML, one test case a run. The form is what the schemas of Jenkins' xUnit plugin and
 * of JUnit's own tests take: child elements in the order skipped, error, failure, system-out, and no
 * attributes on `skipped`.
 */
import Builder from 'fast-xml-builder'
import type { RunRecord } from '../../execution/batch/record.ts'
import { conclusions, type Conclusion } from '../../execution/conclusion.ts'
import type { Show } from '../text/secrets.ts'
import { inline } from '../text/untrusted-text.ts'
import { readLogEnd } from './log-end.ts'
import { describeRun, durationOf, nameRun, showRun, type ShownRun } from './shown-run.ts'

export interface JUnitFacts {
  automation: string
  startedOn: Date
  /** Milliseconds that the batch took. */
  duration: number
  /** Where the records' files are. */
  folder: string
}

const longestLog = 8 * 1024
/** Bytes of all logs' test cases. */
const longestLogs = 10 * 1024 * 1024
const longestName = 200

type Kind = (typeof conclusions)[Conclusion]['junit']

/** The parts of the file. */
export async function* junitReport(
  facts: JUnitFacts,
  records: readonly RunRecord[],
  show: Show,
): AsyncGenerator<string> {
  const suite = inline(show(facts.automation), longestName)
  const { head, tail } = frame(suite, facts, countKinds(records))
  yield `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n`
  let rest = longestLogs
  for (const record of records) {
    const run = showRun(record, show)
    const log = await logOf(record, rest, facts.folder, show)
    const withLog = log === '' ? undefined : testCase(suite, run, log)
    const size = Buffer.byteLength(withLog ?? '')
    const fits = withLog !== undefined && size <= rest
    // Once one finds no room, no more are read: there may be thousands.
    rest = size <= rest ? rest - size : 0
    yield `${fits ? withLog : testCase(suite, run)}\n`
  }
  yield `${tail}\n`
}

function countKinds(records: readonly RunRecord[]): Record<Kind, number> {
  const counts = { passed: 0, failure: 0, error: 0, skipped: 0 }
  for (const { conclusion } of records) counts[conclusions[conclusion].junit] += 1
  return counts
}

/** What stands before and after the test cases. */
function frame(
  suite: string,
  { startedOn, duration }: JUnitFacts,
  { passed, failure, error, skipped }: Record<Kind, number>,
): { head: string; tail: string } {
  const tests = passed + failure + error + skipped
  const totals = {
    '@_name': xmlText(suite),
    '@_tests': tests,
    '@_failures': failure,
    '@_errors': error,
    '@_time': seconds(duration),
  }
  const own = { '@_skipped': skipped, '@_timestamp': startedOn.toISOString().slice(0, 19) }
  const whole = xml({ testsuites: { ...totals, testsuite: { ...totals, ...own, '#text': '' } } })
  const end = whole.indexOf('</testsuite>')
  return { head: whole.slice(0, end), tail: whole.slice(end) }
}

function testCase(suite: string, run: ShownRun, log?: string): string {
  const duration = durationOf(run)
  return xml({
    testcase: {
      '@_name': xmlText(nameRun(run)),
      '@_classname': xmlText(suite),
      ...(duration === undefined ? {} : { '@_time': seconds(duration) }),
      ...problem(run),
      ...(log === undefined ? {} : { 'system-out': xmlText(log) }),
    },
  })
}

function problem(run: ShownRun): object {
  const kind = conclusions[run.conclusion].junit
  const words = xmlText(describeRun(run))
  if (kind === 'passed') return {}
  if (kind === 'skipped') return { skipped: words }
  const message = run.cause === undefined ? words : xmlText(run.cause)
  return { [kind]: { '@_message': message, '@_type': run.conclusion, '#text': words } }
}

async function logOf(
  { conclusion, logFile }: RunRecord,
  rest: number,
  folder: string,
  show: Show,
): Promise<string> {
  if (conclusion === 'success' || logFile === undefined || rest <= 0) return ''
  return readLogEnd({ folder, file: logFile }, longestLog, show)
}

/** Of inert text, the two characters that XML 1.0 has no place for are left. */
function xmlText(text: string): string {
  return text.replace(/[\ufffe\uffff]/g, '\ufffd')
}

/** Escapes `&`, `<`, `>` (so that no `]]>` is left) and quotes. */
function xml(content: object): string {
  // An attribute that says "true" would lose its value.
  const options = { ignoreAttributes: false, suppressBooleanAttributes: false }
  return new Builder(options).build(content)
}

function seconds(span: number): string {
  return (Math.max(0, span) / 1000).toFixed(3)
}
