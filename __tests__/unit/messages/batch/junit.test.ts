import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parse } from 'junit2json'
import { validateXML } from 'xmllint-wasm'
import type { BatchRow } from '../../../../src/execution/batch/batch-types.ts'
import type { Conclusion } from '../../../../src/execution/conclusion.ts'
import { junitReport } from '../../../../src/messages/batch/junit.ts'
import { root } from '../../../../scripts/docs/action-files.ts'
import { showLog } from '../../../../src/actions/file-ends.ts'
import { clean } from '../../../../src/messages/text/untrusted-text.ts'
import { allOf, batchReportOf, type GivenRow } from '../../../support/batch-rows.ts'
import { hostileText } from '../../../support/hostile-text.ts'

const folder = path.join(root, '__tests__/unit/messages/batch/schemas')
const schema = readFileSync(path.join(folder, 'junit-10.xsd'), 'utf8')

/** Returns the errors that libxml2 finds, by the schema that JUnit reporters use. */
async function problemsOf(contents: string): Promise<string[]> {
  const { errors } = await validateXML({ xml: { fileName: 'junit.xml', contents }, schema })
  return errors.map(({ rawMessage }) => rawMessage)
}

async function reportOf(
  runs: readonly GivenRow[],
  { automation = 'daily_report', log = '' } = {},
): Promise<string> {
  const startedOn = new Date('2026-11-20T10:00:00.500Z')
  const logOf = ({ facts }: BatchRow) => Promise.resolve(facts.log_file === null ? '' : log)
  const batch = { ...batchReportOf(runs), startedOn, duration: 500_000 }
  return (await allOf(junitReport(automation, batch, logOf, (text) => text))).join('')
}

describe('the JUnit report of a batch', () => {
  it('has one test case per run, with the run’s conclusion', async () => {
    const cause = 'ValueError: a < b ]]> c'
    const failed = { conclusion: 'error', cause, log_file: '2/run.log' } as const
    const runs = [{ label: 'Berlin' }, failed, { conclusion: 'not-started' } as const]
    const report = await reportOf(runs, { log: `one\n${cause}` })

    expect(await problemsOf(report)).toEqual([])
    const counts = { name: 'daily_report', tests: 3, failures: 1, errors: 0, time: 500 }
    const classname = 'daily_report'
    const words = `Run 2 failed after 2 min 10 s: ${cause} (execution id-2)`
    const failure = [{ message: cause, type: 'error', inner: words }]
    const testcase = [
      { name: 'Berlin', classname, time: 130 },
      { name: 'Run 2', classname, time: 130, failure, 'system-out': [`one\n${cause}`] },
      { name: 'Run 3', classname, skipped: [{ inner: 'Run 3 was not started' }] },
    ]
    const timestamp = '2026-11-20T10:00:00'
    const suite = { ...counts, skipped: 1, timestamp, testcase }
    expect(await parse(report)).toEqual({ ...counts, testsuite: [suite] })
  })

  it('names a test case by its label, with the number only if labels are equal or missing', async () => {
    const runs = [{ label: 'Oslo' }, { label: 'Berlin' }, { label: 'Oslo' }, {}]
    const names = (await reportOf(runs)).matchAll(/<testcase name="(.*?)"/g)
    expect(Array.from(names, ([, name]) => name)).toEqual([
      'Run 1 (Oslo)',
      'Berlin',
      'Run 3 (Oslo)',
      'Run 4',
    ])
  })

  it('has one of three kinds of problem, or none, for each end, and may have no runs', async () => {
    const kinds: Record<Conclusion, string | undefined> = {
      success: undefined,
      error: 'failure',
      stopped: 'failure',
      'invalid-result': 'failure',
      'container-error': 'error',
      refused: 'error',
      'timed-out': 'error',
      cancelled: 'error',
      unknown: 'error',
      'not-started': 'skipped',
    }
    const all = Object.keys(kinds) as Conclusion[]
    const report = await reportOf(all.map((conclusion) => ({ conclusion })))
    const { testcase = [] } = await suiteOf(report)

    const kindOf = (testCase: object) =>
      Object.keys(testCase).find((key) => ['failure', 'error', 'skipped'].includes(key))
    expect(testcase.map(kindOf)).toEqual(Object.values(kinds))
    expect(await problemsOf(report)).toEqual([])
    expect(await problemsOf(await reportOf([]))).toEqual([])
  })

  it('is valid, whatever the foreign texts are', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, hostileText, async (text, log) => {
        const texts = { label: text, cause: text, execution_id: text, log_file: 'run.log' }
        const conclusions = ['success', 'error', 'unknown', 'not-started'] as const
        const runs = conclusions.map((conclusion) => ({ ...texts, conclusion }))
        // The end of a log, as people see it.
        const inert = showLog(log, clean)
        const report = await reportOf(runs, { automation: text, log: inert })

        expect(await problemsOf(report)).toEqual([])
        expect((await suiteOf(report)).testcase).toHaveLength(4)
      }),
      { numRuns: 8 },
    )
  })
})

async function suiteOf(report: string) {
  const read = await parse(report)
  const [suite] = read && 'testsuite' in read ? (read.testsuite ?? []) : []
  return suite ?? {}
}
