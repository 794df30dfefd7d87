import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { BatchEnd } from '../../../../src/messages/batch/end.ts'
import { renderBatchSummary } from '../../../../src/messages/summary/batch-summary.ts'
import { Page } from '../../../../src/messages/summary/html.ts'
import { noticeOf, type Notice } from '../../../../src/messages/notice.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { asPage } from '../../../support/as-read.ts'
import { batchEndOf, type GivenRow } from '../../../support/batch-rows.ts'
import { hostileText } from '../../../support/hostile-text.ts'
import { problemsOf } from './summary-problems.ts'

const startedOn = new Date('2026-11-20T10:00:00Z')
const asItIs = (text: string) => text

const failure = noticeOf({ name: 'batch-failed', title: 'daily_report: it failed' }, [], 'Fix it.')

function summaryOf(
  runs: readonly GivenRow[],
  given: Partial<BatchEnd & { failure: Notice | undefined }> = {},
  show: (text: string) => string = asItIs,
): string {
  const { failure: failed = failure, ...end } = given
  const whole = { automation: 'daily_report', startedOn, duration: 500_000, ...end }
  const shown = 'failure' in given ? given.failure : failed
  return renderBatchSummary(batchEndOf(runs, whole, show), shown, new Page(show))
}

/** A Gantt chart that Mermaid accepts: names without a colon, known tags, a start, a length. */
const charted =
  /^```mermaid\ngantt\n {4}dateFormat x\n {4}axisFormat %H:%M:%S\n(?: {4}[\w ,-]+ :(?:crit|active|done), \d+, [1-9]\d*ms\n){2,100}```$/

describe('the summary of a batch', () => {
  it('says in its heading what fail-on allows', () => {
    const allowed = [{}, { conclusion: 'stopped', failsStep: false } as const]
    expect(summaryOf(allowed, { failure: undefined })).toContain(
      '<h3>⚠️ daily_report: 2 runs ended after 8 min 20 s: 1 succeeded, 1 failed, allowed by fail-on</h3>',
    )
  })

  it('has the runs first that fail the step, then the worst runs, and successes last', () => {
    const conclusions = [
      ...(['success', 'not-started', 'timed-out', 'error', 'unknown'] as const),
      ...(['success', 'refused', 'cancelled'] as const),
    ]
    const lostResult = { conclusion: 'success', failsStep: true } as const
    const allowed = { conclusion: 'error', failsStep: false } as const
    const runs = conclusions.map((conclusion) => ({ conclusion }))
    const summary = summaryOf([allowed, ...runs, lostResult])
    const numbers = Array.from(summary.matchAll(/<tr><td[^>]*>(\d+)/g), ([, number]) => number)

    expect(numbers.map(Number)).toEqual([5, 8, 10, 6, 4, 9, 3, 1, 2, 7])
  })

  it('shows 50 rows of 10,000 and says where the others are', () => {
    const records = Array<GivenRow>(10_000).fill({})
    const summary = summaryOf(records)

    expect(summary.match(/<tr><td/g)).toHaveLength(50)
    expect(summary).toContain('… and 9950 more, in <code>results-file</code>.')
    expect(summary).toContain('<summary>When the first 100 runs ran, by number')
    expect(summary.match(/:done, /g)).toHaveLength(100)
  })

  it('draws succeeded, failed and unfinished runs in different colours, but not one run', () => {
    const late = { conclusion: 'timed-out', duration: undefined } as const
    const summary = summaryOf([{}, { conclusion: 'error' }, late])
    expect(summary.match(/:(?:crit|active|done)(?=, )/g)).toEqual([':done', ':crit', ':active'])
    expect(summaryOf([{}])).not.toContain('mermaid')
  })

  it('keeps its structure and its size, whatever the foreign texts are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(hostileText, hostileText, hostileText), { maxLength: 60 }),
        hostileText,
        (texts, other) => {
          const records = texts.map(([label, cause, executionId], at) => ({
            label,
            cause,
            executionId,
            conclusion: at % 3 === 0 ? ('success' as const) : ('error' as const),
          }))
          const artifact = { name: other, url: other }
          const summary = summaryOf(records, { automation: other, artifact })

          expect(problemsOf(summary)).toEqual([])
          const chart = /^```mermaid.*?^```$/ms.exec(summary)?.[0]
          if (records.length > 1) expect(chart).toMatch(charted)
        },
      ),
      { numRuns: 50 },
    )
  })

  it.each(['$', '"', '👍', '\n', '<', 'x'])(
    'is under 400 KiB: 20,000 times %j everywhere',
    (part) => {
      const text = part.repeat(20_000)
      const run = { label: text, cause: text, execution_id: text, conclusion: 'error' } as const
      const artifact = { name: text, url: text }
      const facts = { automation: text, artifact }
      const summary = summaryOf(Array<GivenRow>(200).fill(run), facts)

      expect(Buffer.byteLength(summary)).toBeLessThan(400 * 1024)
      expect(problemsOf(summary)).toEqual([])
    },
  )

  it('shows no secret, wherever it stands, cut or escaped', () => {
    const secrets = new Secrets(() => undefined)
    secrets.add('a&b<correct$horse')
    const text = `before a&b<correct$horse after ${'x'.repeat(250)}a&b<correct$horse`
    const run = { label: text, cause: text, execution_id: text, conclusion: 'error' } as const
    const summary = summaryOf([run], { automation: text }, (given) => secrets.show(given))

    expect(asPage(summary)).not.toMatch(/correct|a&b<c/)
    expect(asPage(summary)).toContain('before *** after')
  })
})
