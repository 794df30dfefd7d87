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
import { readRows, type Form } from '../../../../src/messages/summary/read-rows.ts'
import { problemsOf } from './summary-problems.ts'

/** Returns the summaries of a success and of a failure that have this text everywhere. */
async function summariesOf(
  text: string,
  resultText: string,
  complete: boolean,
  form: Form = 'json',
): Promise<string[]> {
  const rows = await readRows(resultText, form, complete)
  const mediaType = 'application/json'
  const kept = { name: text, mediaType, size: 1, text: resultText, complete, rows }
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
  it('the summary keeps its structure', async () => {
    const value = fc.jsonValue().map((json) => JSON.stringify(json))
    const rows = fc
      .array(fc.dictionary(hostileText, fc.oneof(hostileText, fc.double(), fc.boolean())))
      .map((json) => JSON.stringify(json))
    await fc.assert(
      fc.asyncProperty(
        hostileText,
        fc.oneof(hostileText, value, rows),
        fc.boolean(),
        async (text, result, complete) => {
          for (const summary of await summariesOf(text, result, complete)) {
            expect(problemsOf(summary)).toEqual([])
          }
        },
      ),
    )
  })

  it('the summary of a table with a chart keeps its structure', async () => {
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
    const cells = fc.array(hostileText, { minLength: 3, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(hostileText, cells, async (name, labels) => {
        const bars = labels.map((label, n) => `${quoted(`${n}${label}`)},${n}`)
        const line = labels.map((label, n) => `${2024 + n},${quoted(label)},${n}`)
        const csv = [`x,${quoted(name)}`, ...bars].join('\n')
        const series = [`t,x,${quoted(name)}`, ...line].join('\n')
        for (const text of [csv, series]) {
          for (const summary of await summariesOf(name, text, true, 'csv')) {
            expect(problemsOf(summary)).toEqual([])
          }
        }
      }),
    )
  })

  it.each(['$', '"', '€', '👍', '$\n', '\n', '\t', '‮', 'שלום ', 'x'])(
    'the summary stays under 200 KiB: 60,000 times %j everywhere',
    async (part) => {
      const text = part.repeat(60_000)
      const cell = text.slice(0, 300)
      const wide = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${cell}${at}`, cell]))
      const rows = Array<unknown>(60).fill(wide)
      const long = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}${cell}`, cell]))
      for (const value of [text, rows, { ...long, a: rows, b: rows, c: rows, d: rows }, [[text]]]) {
        for (const summary of await summariesOf(text, JSON.stringify(value), true)) {
          expect(Buffer.byteLength(summary)).toBeLessThan(200 * 1024)
          expect(problemsOf(summary)).toEqual([])
        }
      }
    },
  )
})
