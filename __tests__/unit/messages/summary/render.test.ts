import { describe, expect, it } from '@jest/globals'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { raisedError, summaryOf, type SummaryFacts } from '../../../support/execution-report.ts'
import { problemsOf } from './summary-problems.ts'

const succeeded: SummaryFacts = {
  conclusion: 'success',
  automation: 'daily_report',
  executionId: '3fa85f64',
}
const failed: SummaryFacts = {
  ...succeeded,
  conclusion: 'error',
  failure: raisedError,
}

describe('the summary of a run', () => {
  it('starts with the verdict, then the facts that are known', () => {
    const summary = summaryOf({
      ...succeeded,
      project: 'demo',
      duration: 130_000,
      checks: 26,
      artifact: {
        name: 'daily_report-3fa85f64',
        url: 'https://github.com/o/r/actions/runs/1/artifacts/2',
      },
      runUrl: 'https://github.com/o/r/actions/runs/1',
      webhookGiven: true,
    })

    expect(summary).toBe(`<h3>✅ daily_report succeeded</h3>

<table>
<tr><th align="left">Automation</th><td><code>daily_report</code></td></tr>
<tr><th align="left">Project</th><td><code>demo</code></td></tr>
<tr><th align="left">Execution</th><td><code>3fa85f64</code></td></tr>
<tr><th align="left">Duration</th><td>2 min 10 s</td></tr>
<tr><th align="left">Artifact</th><td><a href="https://github.com/o/r/actions/runs/1/artifacts/2">daily_report-3fa85f64</a></td></tr>
<tr><th align="left">Workflow run</th><td><a href="https://github.com/o/r/actions/runs/1">this run</a></td></tr>
<tr><th align="left">Webhook</th><td>given by this step</td></tr>
</table>

`)
  })

  it('tells on failure the cause, what to do, and the end of the log', () => {
    const summary = summaryOf({
      ...failed,
      cause: { text: 'ValueError: 1 < 2', file: 'report.py', line: 3 },
      log: 'collecting\n\n\tdone <b>\n',
    })

    expect(summary).toBe(`<h3>❌ daily_report failed</h3>

<p><strong>ValueError: 1 &lt; 2 (report.py, line 3)</strong><br>The automation raised an error.<br>Next: Fix the automation, then re-run this job.<br><a href="https://github.com/run-automation/run-automation/blob/v1/docs/troubleshooting.md#failed">Help</a></p>

<table>
<tr><th align="left">Automation</th><td><code>daily_report</code></td></tr>
<tr><th align="left">Execution</th><td><code>3fa85f64</code></td></tr>
<tr><th align="left">Duration</th><td>2 min 10 s</td></tr>
</table>

<p><strong>The log</strong></p>
<pre>collecting
&#32;
\tdone &lt;b&gt;</pre>

`)
  })

  it.each<[Partial<SummaryFacts>, string]>([
    [
      { conclusion: 'container-error', failure: { ...raisedError, title: 'container-error' } },
      '❌ daily_report died',
    ],
    [
      { conclusion: 'stopped', failure: { ...raisedError, title: 'stopped' } },
      '🛑 daily_report was stopped',
    ],
    [
      { conclusion: 'cancelled', failure: { ...raisedError, title: 'cancelled' } },
      '🚫 daily_report: this step was cancelled',
    ],
    [
      { conclusion: 'unknown', failure: { ...raisedError, title: 'not-found' } },
      '❓ daily_report was not found',
    ],
    [{ conclusion: 'error' }, '⚠️ daily_report failed (allowed by fail-on)'],
    [
      { conclusion: 'success', failure: { ...raisedError, title: 'result-not-fetched' } },
      '❌ daily_report succeeded, but its result is missing',
    ],
    [{ automation: undefined }, '✅ Execution 3fa85f64 succeeded'],
  ])('is headed for %j by "%s"', (facts, heading) => {
    expect(summaryOf({ ...succeeded, ...facts })).toMatch(`<h3>${heading}</h3>\n\n`)
  })

  it('names what a failed run returned, but not the null of a task that raised an error', () => {
    const result = { name: 'result.json', mediaType: 'application/json', size: 4, complete: true }

    expect(summaryOf({ ...failed, result: { ...result, text: '[1]' } })).toContain('result.json')
    expect(summaryOf({ ...failed, result: { ...result, text: 'null' } })).not.toContain('result')
  })

  it('tells what is left to do where the step passes all the same', () => {
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

  it('reads well after that of another step', () => {
    expect(problemsOf(summaryOf(failed) + summaryOf(succeeded))).toEqual([])
  })

  it('holds no secret, and none of its own words is taken for one', () => {
    const redact = (text: string) => text.replaceAll(/s3cr3t|error/g, '***')
    const result = {
      name: 'r.txt',
      mediaType: 'text/plain',
      size: 6,
      text: 's3cr3t',
      complete: true,
    }
    const facts = { cause: { text: 's3cr3t' }, log: 's3cr3t', result }

    expect(summaryOf({ ...failed, ...facts }, redact)).not.toContain('s3cr3t')
    expect(summaryOf({ ...succeeded, ...facts }, redact)).not.toContain('s3cr3t')
  })

  // The limits of names, addresses, words of others and causes.
  it.each([100, 200, 500, 1_000, 1_200])('leaves no part of a secret at a cut at %i', (limit) => {
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
