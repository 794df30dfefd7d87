/** Tests how an annotation leaves the step: each part redacted, one line, cut, and never lost. */
import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { annotationOf, maxAnnotationLength } from '../../../src/messages/annotation.ts'
import { describeBatchFailure } from '../../../src/messages/batch/batch-failure.ts'
import { titles, type TitleName } from '../../../src/messages/catalogue.ts'
import { noticeOfFailure } from '../../../src/messages/failure-notice.ts'
import { ActionError, describeBug, noticeOf, type Notice } from '../../../src/messages/notice.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { batchEndOf } from '../../support/batch-rows.ts'
import { hostileText } from '../../support/hostile-text.ts'
import { collected, noFiles, raisedError, reportOf, target } from '../../support/run-report.ts'

const secrets = new Secrets(() => undefined)
secrets.add('s3cr3t-value')

/** Returns notices that have this text in all foreign texts, with the lines that they always keep. */
function noticesWith(text: string): Notice[] {
  const log = { kind: 'file', path: text, size: 1, mediaType: 'text/plain' } as const
  const cause = { text, frame: { file: text, line: 1 } }
  const files = { ...noFiles, log }
  const end = collected({ executionId: text, outcome: 'error', cause, files })
  const named = { ...target, automation: text }
  const report = reportOf(end, { target: named, notRetried: text })
  const run = {
    conclusion: 'error',
    label: text,
    cause: text,
    execution_id: text,
    advice: text,
  } as const
  const runs = Array<typeof run>(9).fill(run)
  const batch = batchEndOf(runs, { automation: text }, secrets.show)
  return [
    noticeOfFailure(raisedError, report, text),
    noticeOfFailure(raisedError, report, undefined),
    describeBatchFailure(batch),
    new ActionError(Array(9).fill(text).join('\n'), { name: 'bug', title: text, hint: text })
      .notice,
    describeBug(text),
  ]
}

const shown = (notice: Notice, url?: string) => annotationOf(notice, url, secrets.show)

it('has the reasons, the facts, the advice, the link to the run and the help', () => {
  const words = { why: ['Why.', 'More.'], facts: ['A fact.'], advice: ['Next: this.', 'And that.'] }
  expect(shown({ name: 'error', title: 'a failed', ...words }, 'https://x.example/7')).toEqual({
    title: 'a failed',
    text: expect.stringMatching(
      /^Why\.\nMore\.\nA fact\.\nNext: this\.\nAnd that\.\nRun: https:\/\/x\.example\/7\nHelp: https:.*#failed$/,
    ),
  })
})

it('keeps what stands around a text of any length, within the limit of the runner', () => {
  const long = 'x'.repeat(100_000)
  const why = `The service answered 400: ${long}. Nothing was started.`
  const facts = Array<string>(3).fill(`Log: ${long} (execution e-1).`)
  const advice = Array<string>(2).fill(`Next: ${long} with execution-id e-1.`)
  const notice = { name: 'not-started', title: `${long} was not started`, why: [why] } as const
  const { title, text } = shown({ ...notice, facts, advice }, `https://x.example/${long}`)

  expect(title).toMatch(/^x+…x+ was not started$/)
  expect(title.length).toBeLessThanOrEqual(200)
  expect(text.length).toBeLessThanOrEqual(maxAnnotationLength)
  expect(text).toMatch(
    /^The service answered 400: x+…x+\. Nothing was started\.(?:\nLog: x+…x+ \(execution e-1\)\.){3}(?:\nNext: x+…x+ with execution-id e-1\.){2}\nRun: https:\/\/x.example\/x+…\nHelp: .*#was-not-started$/,
  )
})

it('has the first of many reasons, of which each has its share', () => {
  const { text } = shown(
    noticeOf({ name: 'input-wrong', title: 'a' }, Array<string>(99).fill('y'.repeat(900)), 'this.'),
  )
  expect(text).toMatch(/^(?:y{199}…y{200}\n){8}/)
  expect(text).toMatch(/…\nNext: this\.\nHelp: [^\n]*$/)
  expect(text).toHaveLength(maxAnnotationLength)
})

it('has the longest help, which no secret hides', () => {
  const names = Object.keys(titles) as TitleName[]
  const hiding = new Secrets(() => undefined)
  hiding.add('github', 'Help: h', 'ailed')
  for (const name of names) {
    const { text } = annotationOf(
      noticeOf({ name, title: '' }, ['ailed'], ''),
      undefined,
      hiding.show,
    )
    const help = text.split('\n').at(-1) ?? ''
    expect(help).toMatch(/^Help: https:\/\/github\.com\/.*#[a-z-]+$/)
    expect(help.length).toBeLessThan(256)
    expect(text).toMatch(/^\*\*\*\n/)
  }
})

it('has one line for each part, and no command, whatever foreign texts contain', () => {
  fc.assert(
    fc.property(hostileText, fc.nat(200), (hostile, times) => {
      for (const notice of noticesWith(`${hostile}x`.repeat(1 + times))) {
        const { title, text } = shown(notice, hostile)
        const parts = [notice.facts, notice.advice, ['help']].flat().length
        expect(text.length).toBeLessThanOrEqual(maxAnnotationLength)
        expect(text.split('\n').length).toBeLessThanOrEqual(notice.why.length + parts + 1)
        expect(title + text).not.toMatch(/[^\P{Cc}\n]|\u2028|[\u202a-\u202e]|##\[|^\s*::/mu)
      }
    }),
    { numRuns: 50 },
  )
})

it.each([100, 200, 400, 500, 700, 1_000, 2_000, 3_800])(
  'has no part of a secret at a cut near %i',
  (limit) => {
    for (let before = limit - 14; before < limit + 14; before++) {
      const long = `${'x'.repeat(before)}s3cr3t-value${'x'.repeat(limit)}`
      for (const notice of noticesWith(long)) {
        const { title, text } = shown(notice, `https://x/${long}`)
        expect(title + text).not.toMatch(/xs|alue/)
      }
    }
  },
)
