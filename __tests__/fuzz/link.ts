import fc from 'fast-check'
import { serveScripted, type Sent } from '../support/scripted-service.ts'
import {
  arrivingBody,
  bytesOf,
  encodedBody,
  encodings,
  type WireAnswer,
} from '../support/wire-answer.ts'
import { answerWith, isDubious } from './answers.ts'
import type { Perform } from './step.ts'
import { commonViolations } from './verdict.ts'

const rows = 'a row of the result, and another one\n'.repeat(60)

export interface Case {
  answers: WireAnswer[]
  /** How the store keeps the result: it stays the same from answer to answer. */
  kept: Pick<WireAnswer, 'encoding' | 'label'>
  ranges: boolean
}

export const linkCases: fc.Arbitrary<Case> = fc
  .record({
    answers: fc.array(answerWith(rows, rows, rows, 'another file'), { minLength: 1, maxLength: 3 }),
    kept: fc.record({
      encoding: fc.option(fc.constantFrom(...encodings), { nil: undefined }),
      label: fc.option(fc.constantFrom('utf-8', 'gzip', 'identity'), { nil: undefined, freq: 1 }),
    }),
    ranges: fc.boolean(),
  })
  .map(({ answers, kept, ranges }) => ({
    kept,
    ranges,
    answers: answers.map((answer) => (answer.body === rows ? keptAnswer(answer, kept) : answer)),
  }))

function keptAnswer(answer: WireAnswer, kept: Case['kept']): WireAnswer {
  return { ...answer, ...kept, headers: [['etag', '"v1"'], ...answer.headers] }
}

const gone = Buffer.from('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')

function answerTo(head: string, answer: WireAnswer | undefined, ranges: boolean): Sent {
  if (!answer) return { bytes: gone, then: 'end' }
  const from = Number(/range: bytes=(\d+)-/i.exec(head)?.[1] ?? 0)
  const whole = encodedBody(answer)
  if (!ranges || from === 0 || from >= whole.length || answer.body !== rows) {
    return { bytes: bytesOf(answer), then: answer.then }
  }
  const range = `bytes ${String(from)}-${String(whole.length - 1)}/${String(whole.length)}`
  const headers: WireAnswer['headers'] = [['content-range', range], ...answer.headers]
  const part = { ...answer, status: answer.status === 200 ? 206 : answer.status, headers }
  return { bytes: bytesOf(part, whole.subarray(from)), then: answer.then }
}

/** What must not have happened and did. */
export async function checkLink(
  { answers, ranges, kept }: Case,
  perform: Perform,
): Promise<string[]> {
  await using service = await serveScripted({
    link: (count, head) => answerTo(head, answers[count - 1], ranges),
  })
  const performed = await perform('wait', service.url)
  const bring = (answer: WireAnswer) => (answer.status === 200 ? arrivingBody(answer) : undefined)
  const [first] = answers
  const expected = first && !isDubious(first) ? bring(first) : undefined
  const whole = arrivingBody({ ...keptWhole, ...kept })
  const possible = [...answers.map(bring), whole]
  const { result } = performed
  const isTrue = result !== undefined && possible.some((bytes) => bytes?.equals(result))
  return [
    ...commonViolations(performed),
    ...(performed.passed && !isTrue ? ['a false green'] : []),
    ...(expected && !result?.equals(expected) ? ['a false red'] : []),
  ]
}

const keptWhole: WireAnswer = {
  interim: [],
  status: 200,
  headers: [],
  body: rows,
  encoding: undefined,
  label: undefined,
  framing: 'length',
  cut: 0,
  then: 'end',
}
