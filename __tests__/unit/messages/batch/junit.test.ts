import { readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parse } from 'junit2json'
import { validateXML } from 'xmllint-wasm'
import type { RunRecord } from '../../../../src/execution/batch/record.ts'
import { junitReport } from '../../../../src/messages/batch/junit.ts'
import { writeTexts } from '../../../../src/messages/batch/write-texts.ts'
import { root } from '../../../../scripts/docs/action-files.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { allOf, runRecord, runRecords } from '../../../support/batch-records.ts'
import { hostileText } from '../../../support/hostile-text.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts'

const asItIs = (text: string) => text
const schemas = ['jenkins-junit.xsd', 'junit-10.xsd'].map((name) =>
  readFileSync(path.join(root, '__tests__/unit/messages/batch/schemas', name), 'utf8'),
)

/** What libxml2 has against it, by the schemas that reporters hold such files to. */
async function problemsOf(contents: string): Promise<string[]> {
  const checks = schemas.map((schema) =>
    validateXML({ xml: { fileName: 'junit.xml', contents }, schema }),
  )
  return (await Promise.all(checks)).flatMap(({ errors }) =>
    errors.map(({ rawMessage }) => rawMessage),
  )
}

describe('the JUnit report of a batch', () => {
  let folder: TemporaryFolder

  beforeEach(async () => {
    folder = await makeTemporaryFolder()
  })
  afterEach(() => folder[Symbol.asyncDispose]())

  function pieces(
    records: readonly RunRecord[],
    automation = 'daily_report',
    show: (text: string) => string = asItIs,
  ) {
    const startedOn = new Date('2026-11-20T10:00:00.500Z')
    const facts = { automation, startedOn, duration: 500_000, folder: folder.path }
    return junitReport(facts, records, show)
  }

  async function reportOf(...given: Parameters<typeof pieces>): Promise<string> {
    return (await allOf(pieces(...given))).join('')
  }

  it('has one test case a run, read back as what each came to', async () => {
    await mkdir(path.join(folder.path, '2'))
    await writeFile(path.join(folder.path, '2/run.log'), 'one\nValueError: a < b ]]> c\n')
    const report = await reportOf(
      runRecords([
        { label: 'Berlin' },
        { conclusion: 'error', cause: 'ValueError: a < b ]]> c', logFile: '2/run.log' },
        { conclusion: 'not-started' },
      ]),
    )

    expect(await problemsOf(report)).toEqual([])
    const counts = { tests: 3, failures: 1, errors: 0, time: 500 }
    expect(await parse(report)).toEqual({
      ...counts,
      name: 'daily_report',
      testsuite: [
        {
          ...counts,
          name: 'daily_report',
          skipped: 1,
          timestamp: '2026-11-20T10:00:00',
          testcase: [
            { name: 'Run 1 (Berlin)', classname: 'daily_report', time: 130 },
            {
              name: 'Run 2',
              classname: 'daily_report',
              time: 130,
              failure: [
                {
                  message: 'ValueError: a < b ]]> c',
                  type: 'error',
                  inner: 'Run 2 failed after 2 min 10 s: ValueError: a < b ]]> c (execution id-2)',
                },
              ],
              'system-out': ['one\nValueError: a < b ]]> c'],
            },
            {
              name: 'Run 3',
              classname: 'daily_report',
              skipped: [{ inner: 'Run 3 was not started' }],
            },
          ],
        },
      ],
    })
  })

  it.each<[RunRecord['conclusion'], 'failure' | 'error' | 'skipped' | undefined]>([
    ['success', undefined],
    ['error', 'failure'],
    ['stopped', 'failure'],
    ['container-error', 'error'],
    ['refused', 'error'],
    ['timed-out', 'error'],
    ['cancelled', 'error'],
    ['unknown', 'error'],
    ['not-started', 'skipped'],
  ])('tells %s as %s', async (conclusion, kind) => {
    const report = await reportOf([runRecord({ conclusion })])
    const [testCase] = (await suiteOf(report)).testcase ?? []

    expect(await problemsOf(report)).toEqual([])
    const kinds = ['failure', 'error', 'skipped'] as const
    expect(kinds.filter((each) => testCase?.[each])).toEqual(kind === undefined ? [] : [kind])
  })

  it('of no runs is valid too', async () => {
    expect(await problemsOf(await reportOf([]))).toEqual([])
  })

  it('has no log of a run that succeeded, and none that is gone', async () => {
    await writeFile(path.join(folder.path, 'run.log'), 'fine\n')
    const report = await reportOf(
      runRecords([{ logFile: 'run.log' }, { conclusion: 'error', logFile: 'gone.log' }]),
    )

    expect(report).not.toContain('system-out')
  })

  it('has the last 8 KiB of a log, whole lines, and no half of a secret', async () => {
    const secrets = new Secrets(() => undefined)
    secrets.add('correct-horse')
    const line = `${'x'.repeat(80)} correct-horse <&>\n`
    await writeFile(path.join(folder.path, 'run.log'), line.repeat(1_000))
    await writeFile(path.join(folder.path, 'long.log'), 'correct-horse '.repeat(3_000))
    await writeFile(path.join(folder.path, 'lines.log'), 'correct-horse\n'.repeat(3_000))
    const report = await reportOf(
      runRecords([
        { conclusion: 'error', logFile: 'run.log' },
        { conclusion: 'error', logFile: 'long.log' },
        { conclusion: 'error', logFile: 'lines.log' },
      ]),
      'report',
      (text) => secrets.show(text),
    )
    const cases = (await suiteOf(report)).testcase ?? []
    const [lines, long, short] = cases.map((testCase) => testCase['system-out'])

    expect(lines?.[0]?.split('\n')).toEqual(Array(92).fill(`${'x'.repeat(80)} *** <&>`))
    expect(long?.[0]).toMatch(/^[* ]{3000,}$/)
    expect(short?.[0]).toMatch(/^(?:\*{3}\n?)+$/)
    expect(report).not.toMatch(/corr|horse/)
  })

  it('has at most 10 MiB of logs in all, and every run', async () => {
    await writeFile(path.join(folder.path, 'run.log'), '&'.repeat(100_000))
    const runs = Array(300).fill({ conclusion: 'error', logFile: 'run.log' })
    const report = await reportOf(runRecords(runs as Partial<RunRecord>[]))
    const size = Buffer.byteLength(report)

    expect(size).toBeGreaterThan(10 * 1024 * 1024 - 50_000)
    expect(size).toBeLessThan(10 * 1024 * 1024 + 300 * 500)
    expect((await suiteOf(report)).testcase).toHaveLength(300)
  })

  it('is valid, whatever strangers wrote', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, hostileText, async (text, log) => {
        await writeFile(path.join(folder.path, 'run.log'), log)
        const texts = { label: text, cause: text, executionId: text, logFile: 'run.log' }
        const conclusions = ['success', 'error', 'unknown', 'not-started'] as const
        const records = runRecords(conclusions.map((conclusion) => ({ ...texts, conclusion })))
        const report = await reportOf(records, text)

        expect(await problemsOf(report)).toEqual([])
        expect((await suiteOf(report)).testcase).toHaveLength(4)
      }),
      { numRuns: 15 },
    )
  })

  it('is written piece by piece', async () => {
    const file = path.join(folder.path, 'junit.xml')
    const records = runRecords([{}, { conclusion: 'stopped' }])
    await writeTexts(file, pieces(records))

    expect(await readFile(file, 'utf8')).toBe(await reportOf(records))
  })
})

async function suiteOf(report: string) {
  const read = await parse(report)
  const [suite] = read && 'testsuite' in read ? (read.testsuite ?? []) : []
  return suite ?? {}
}
