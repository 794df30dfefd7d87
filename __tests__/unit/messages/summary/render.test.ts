import { describe, expect, it } from '@jest/globals'
import type { RunReport } from '../../../../src/execution/report.ts'
import { noticeOfFailure } from '../../../../src/messages/failure-notice.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import {
  collected,
  executionId,
  executionOf,
  raisedError,
  reportOf,
  summaryOf,
} from '../../../support/run-report.ts'
import { problemsOf } from './summary-problems.ts'

const failed = reportOf(collected({ outcome: 'error' }))
const summaryOfFailed = (parts: Parameters<typeof summaryOf>[1]) =>
  summaryOf(failed, { failure: raisedError, ...parts })

describe('the summary of a run', () => {
  it.each<[string, RunReport, Parameters<typeof summaryOf>[1]]>([
    [
      '⚠️ daily_report failed, allowed by fail-on',
      failed,
      {
        judged: {
          title: 'daily_report failed, allowed by fail-on',
          notice: noticeOfFailure(raisedError, failed, undefined),
        },
      },
    ],
    [
      '❌ daily_report succeeded, but its result is missing',
      reportOf(),
      { failure: { ...raisedError, title: 'result-not-fetched' } },
    ],
    ['✅ Execution 3fa85f64 succeeded', reportOf(collected(), { target: undefined }), {}],
  ])('has the heading: %s', (heading, report, parts) => {
    expect(summaryOf(report, parts)).toMatch(`<h3>${heading}</h3>\n\n`)
  })

  it('names the result of a failed run, but not the null of a task that raised an error', () => {
    const result = { name: 'result.json', mediaType: 'application/json', size: 4, complete: true }

    expect(summaryOfFailed({ result: { ...result, text: '[1]' } })).toContain('result.json')
    expect(summaryOfFailed({ result: { ...result, text: 'null' } })).not.toContain('result')
  })

  it('lists the executions, but not the only one, which is in the table of facts', () => {
    const unclear = { kind: 'unclear', failure: new Error('cut'), byCancel: false } as const
    const executions = [executionOf({ executionId })]

    expect(summaryOf(reportOf(unclear, { executions }))).toContain('<th>Execution</th>')
    expect(summaryOf(reportOf(collected(), { executions }))).not.toContain('<th>Execution</th>')
  })

  it('shows the last 40 lines of a log of 10,000, and says so', () => {
    const log = Array.from({ length: 10_000 }, (_, line) => `line ${line}`).join('\n')
    const shown = /<pre>(.*)<\/pre>/s.exec(summaryOfFailed({ log }))?.[1]?.split('\n')

    expect(summaryOfFailed({ log })).toContain("<strong>The log's last 40 lines</strong>")
    expect(shown).toHaveLength(40)
    expect(shown?.at(-1)).toBe('line 9999')
  })

  it('shows fewer lines if they are long, and says so', () => {
    const log = Array.from({ length: 39 }, () => 'x'.repeat(1_000)).join('\n')

    expect(summaryOfFailed({ log })).toContain("<strong>The log's last 32 lines</strong>")
  })

  // These are the limits of names, addresses, foreign words and causes.
  it.each([100, 200, 500, 1_000, 1_200])('shows no part of a secret after a cut at %i', (limit) => {
    const secrets = new Secrets(() => undefined)
    secrets.add('s3cr3t-value')
    for (let before = limit - 12; before < limit; before++) {
      const text = `${'x'.repeat(before)}s3cr3t-value${'y'.repeat(limit)}`
      const target = { project: text, automation: text, webhookGiven: false }
      for (const cause of [{ text }, { text: 'ValueError', frame: { file: text, line: 1 } }]) {
        const end = collected({ executionId: text, outcome: 'error', cause })
        const parts = { failure: raisedError, log: text }
        expect(summaryOf(reportOf(end, { target }), parts, secrets.show)).not.toContain('xs')
      }
    }
  })

  it.each(['', ' ', '\t ', '\r'])('stays one block around a line of %j in a log', (blank) => {
    const log = `first\n${blank}\n# <b>[last](https://x)`
    const summary = summaryOfFailed({ log })

    expect(problemsOf(summary)).toEqual([])
    expect(summary).toMatch(/<pre>first\n[^\s][^]*# &lt;b&gt;[^]*<\/pre>/)
    expect(summary.split('<pre>')[1]?.split('</pre>')[0]).not.toMatch(/^\s*$/m)
  })

  it.each(['javascript:alert(1)', 'https://x/"><script>', 'no address'])(
    'links only to web addresses: %s',
    (url) => {
      const summary = summaryOf(reportOf(), { artifact: { name: 'a', url } })

      expect(problemsOf(summary)).toEqual([])
      expect(summary).not.toContain('javascript:')
    },
  )
})
