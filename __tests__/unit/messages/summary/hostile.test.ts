import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { hostileText } from '../../../support/hostile-text.ts'
import {
  collected,
  executionOf,
  raisedError,
  reportOf,
  summaryOf,
} from '../../../support/run-report.ts'
import { problemsOf } from './summary-problems.ts'

/** Returns the summaries of a success and of a failure that have this text everywhere. */
function summariesOf(text: string, resultText: string, complete: boolean): string[] {
  const kept = { name: text, mediaType: 'application/json', size: 1, text: resultText, complete }
  const parts = { artifact: { name: text, url: text }, log: text, result: kept }
  const target = { project: text, automation: text, webhookGiven: true }
  const cause = { text, frame: { file: text, line: 1 } }
  const failed = collected({ executionId: text, outcome: 'error', cause })
  const executions = [executionOf(), executionOf({ executionId: text, cause })]
  return [
    summaryOf(reportOf(collected({ executionId: text }), { target }), parts),
    summaryOf(reportOf(failed, { target, executions }), { ...parts, failure: raisedError }),
  ]
}

describe('whatever the foreign texts are', () => {
  it('the summary keeps its structure', () => {
    const value = fc.jsonValue().map((json) => JSON.stringify(json))
    const rows = fc
      .array(fc.dictionary(hostileText, fc.oneof(hostileText, fc.double(), fc.boolean())))
      .map((json) => JSON.stringify(json))
    fc.assert(
      fc.property(
        hostileText,
        fc.oneof(hostileText, value, rows),
        fc.boolean(),
        (text, result, complete) => {
          for (const summary of summariesOf(text, result, complete)) {
            expect(problemsOf(summary)).toEqual([])
          }
        },
      ),
    )
  })

  it.each(['$', '"', '€', '👍', '$\n', '\n', '\t', '‮', 'שלום ', 'x'])(
    'the summary stays under 200 KiB: 60,000 times %j everywhere',
    (part) => {
      const text = part.repeat(60_000)
      const cell = text.slice(0, 300)
      const wide = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${cell}${at}`, cell]))
      const rows = Array<unknown>(60).fill(wide)
      const long = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}${cell}`, cell]))
      for (const value of [text, rows, { ...long, a: rows, b: rows, c: rows, d: rows }, [[text]]]) {
        for (const summary of summariesOf(text, JSON.stringify(value), true)) {
          expect(Buffer.byteLength(summary)).toBeLessThan(200 * 1024)
          expect(problemsOf(summary)).toEqual([])
        }
      }
    },
  )
})
