import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { failed, succeeded, summaryOf } from '../../../support/execution-report.ts'
import { hostileText } from '../../../support/hostile-text.ts'
import { problemsOf } from './summary-problems.ts'

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
          const facts = {
            automation: text,
            project: text,
            executionId: text,
            artifact: { name: text, url: text },
          }
          const kept = {
            name: text,
            mediaType: 'application/json',
            size: 1,
            text: result,
            complete,
          }
          const texts = { message: text, cause: { text, file: text }, log: text, result: kept }

          expect(problemsOf(summaryOf({ ...succeeded, ...facts, ...texts }))).toEqual([])
          expect(problemsOf(summaryOf({ ...failed, ...facts, ...texts }))).toEqual([])
        },
      ),
    )
  })

  it.each(['$', '"', '€', '👍', '$\n', '\n', '\t', '‮', 'שלום ', 'x'])(
    'the summary stays under 200 KiB: 60,000 times %j everywhere',
    (part) => {
      const text = part.repeat(60_000)
      const cell = text.slice(0, 300)
      const message = Array(9).fill(text.slice(0, 700)).join('\n')
      const wide = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${cell}${at}`, cell]))
      const rows = Array<unknown>(60).fill(wide)
      const long = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}${cell}`, cell]))
      for (const value of [text, rows, { ...long, a: rows, b: rows, c: rows, d: rows }, [[text]]]) {
        const result = {
          name: text,
          mediaType: 'application/json',
          size: 9,
          text: JSON.stringify(value),
          complete: true,
        }
        const facts = {
          automation: text,
          project: text,
          executionId: text,
          message,
          cause: { text },
          log: text,
          result,
        }
        for (const end of [succeeded, failed]) {
          const summary = summaryOf({ ...end, ...facts })
          expect(Buffer.byteLength(summary)).toBeLessThan(200 * 1024)
          expect(problemsOf(summary)).toEqual([])
        }
      }
    },
  )
})
