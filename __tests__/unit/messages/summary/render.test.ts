/** Tests what the summary of a run shows besides what transcripts and scenarios show. */
import { expect, it } from '@jest/globals'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import {
  allowedSummaryOf,
  collected,
  executionId,
  executionOf,
  raisedError,
  reportOf,
  summaryOf,
  timedOut,
} from '../../../support/run-report.ts'
import { problemsOf } from './summary-problems.ts'

const summaryOfFailed = (parts: Parameters<typeof summaryOf>[1]) =>
  summaryOf(reportOf(collected({ outcome: 'error' })), { failure: raisedError, ...parts })

it('the heading says that a result is missing, and names an execution without an automation', () => {
  const failure = { ...raisedError, title: 'result-not-fetched' } as const
  expect(summaryOf(reportOf(), { failure })).toMatch(/^<h3>❌ .*, but its result is missing</)
  const unnamed = reportOf(collected(), { target: undefined })
  expect(summaryOf(unnamed)).toMatch(/^<h3>✅ Execution 3fa85f64 succeeded<\/h3>\n\n/)
})

it('a step that passes has advice only on a run that may still be running', () => {
  expect(allowedSummaryOf(reportOf(timedOut()))).toMatch(/<strong>The run had not .*<br>Next: /)
  const allowed = allowedSummaryOf(reportOf(collected({ outcome: 'error' })))
  expect(allowed).toMatch(
    /^<h3>⚠️ daily_report failed, allowed by fail-on<.*\n\n<p><strong>The aut/,
  )
  expect(allowed).not.toContain('Next: ')
})

it('the result of a failed run is named, but not the null of a task that raised an error', () => {
  const result = { name: 'result.json', mediaType: 'application/json', size: 4, complete: true }
  expect(summaryOfFailed({ result: { ...result, text: '[1]' } })).toContain('result.json')
  expect(summaryOfFailed({ result: { ...result, text: 'null' } })).not.toContain('result')
})

it('the executions are listed, but not the only one, which is in the table of facts', () => {
  const unclear = { kind: 'unclear', failure: new Error('cut'), byCancel: false } as const
  const executions = [executionOf({ executionId })]
  expect(summaryOf(reportOf(unclear, { executions }))).toContain('<th>Execution</th>')
  expect(summaryOf(reportOf(collected(), { executions }))).not.toContain('<th>Execution</th>')
})

it('fewer lines of a log are shown if they are long', () => {
  const log = Array.from({ length: 39 }, () => 'x'.repeat(1_000)).join('\n')
  expect(summaryOfFailed({ log })).toContain("<strong>The log's last 32 lines</strong>")
})

// These are the limits of names, addresses, foreign words and causes.
it.each([100, 200, 500, 1_000, 1_200])(
  'no part of a secret is shown after a cut at %i',
  (limit) => {
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
  },
)

it.each(['', ' ', '\t ', '\r'])('the log stays one block around a line of %j', (blank) => {
  const summary = summaryOfFailed({ log: `first\n${blank}\n# <b>[last](https://x)` })
  expect(problemsOf(summary)).toEqual([])
  expect(summary).toMatch(/<pre>first\n[^\s][^]*# &lt;b&gt;[^]*<\/pre>/)
})

it.each(['javascript:alert(1)', 'https://x/"><script>', 'no address'])(
  'a link leads to a web address only: %s',
  (url) => {
    const summary = summaryOf(reportOf(), { artifact: { name: 'a', url } })
    expect(problemsOf(summary)).toEqual([])
    expect(summary).not.toContain('javascript:')
  },
)
