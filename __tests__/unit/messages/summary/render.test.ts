import { describe, expect, it } from '@jest/globals'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import {
  failed,
  raisedError,
  succeeded,
  summaryOf,
  type SummaryFacts,
} from '../../../support/execution-report.ts'
import { problemsOf } from './summary-problems.ts'

describe('the summary of a run', () => {
  it.each<[Partial<SummaryFacts>, string]>([
    [
      { conclusion: 'error', title: 'daily_report failed, allowed by fail-on' },
      '⚠️ daily_report failed, allowed by fail-on',
    ],
    [
      { conclusion: 'success', failure: { ...raisedError, title: 'result-not-fetched' } },
      '❌ daily_report succeeded, but its result is missing',
    ],
    [{ automation: undefined }, '✅ Execution 3fa85f64 succeeded'],
  ])('has for %j the heading "%s"', (facts, heading) => {
    expect(summaryOf({ ...succeeded, ...facts })).toMatch(`<h3>${heading}</h3>\n\n`)
  })

  it('names the result of a failed run, but not the null of a task that raised an error', () => {
    const result = { name: 'result.json', mediaType: 'application/json', size: 4, complete: true }

    expect(summaryOf({ ...failed, result: { ...result, text: '[1]' } })).toContain('result.json')
    expect(summaryOf({ ...failed, result: { ...result, text: 'null' } })).not.toContain('result')
  })

  it('says what is left to do if the step passes', () => {
    const summary = summaryOf({
      ...succeeded,
      conclusion: 'timed-out',
      remainder: ['Why.', 'Next: this.'],
    })

    expect(summary).toContain('<p><strong>Why.</strong><br>Next: this.</p>')
  })

  it('shows the last 40 lines of a log of 10,000, and says so', () => {
    const log = Array.from({ length: 10_000 }, (_, line) => `line ${line}`).join('\n')
    const shown = /<pre>(.*)<\/pre>/s.exec(summaryOf({ ...failed, log }))?.[1]?.split('\n')

    expect(summaryOf({ ...failed, log })).toContain("<strong>The log's last 40 lines</strong>")
    expect(shown).toHaveLength(40)
    expect(shown?.at(-1)).toBe('line 9999')
  })

  // These are the limits of names, addresses, foreign words and causes.
  it.each([100, 200, 500, 1_000, 1_200])('shows no part of a secret after a cut at %i', (limit) => {
    const secrets = new Secrets(() => undefined)
    secrets.add('s3cr3t-value')
    for (let before = limit - 12; before < limit; before++) {
      const text = `${'x'.repeat(before)}s3cr3t-value${'y'.repeat(limit)}`
      const facts = { conclusion: 'error', automation: text, executionId: text } as const
      for (const cause of [{ text }, { text: 'ValueError', file: text }]) {
        const failed = { ...facts, failure: raisedError, cause, log: text }
        expect(summaryOf(failed, secrets.show)).not.toContain('xs')
      }
    }
  })

  it.each(['', ' ', '\t ', '\r'])('stays one block around a line of %j in a log', (blank) => {
    const log = `first\n${blank}\n# <b>[last](https://x)`
    const summary = summaryOf({ ...failed, log })

    expect(problemsOf(summary)).toEqual([])
    expect(summary).toMatch(/<pre>first\n[^\s][^]*# &lt;b&gt;[^]*<\/pre>/)
    expect(summary.split('<pre>')[1]?.split('</pre>')[0]).not.toMatch(/^\s*$/m)
  })

  it.each(['javascript:alert(1)', 'https://x/"><script>', 'no address'])(
    'links only to web addresses: %s',
    (url) => {
      const summary = summaryOf({ ...succeeded, artifact: { name: 'a', url } })

      expect(problemsOf(summary)).toEqual([])
      expect(summary).not.toContain('javascript:')
    },
  )
})
