import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { PhraseFinder, uniteSpans, type Span } from '../../../src/messages/text/phrase-finder.ts'

const codes = (text: string) => Uint16Array.from(text, (one) => one.charCodeAt(0))
const few = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength })

function find(phrases: string[], text: string, isCut = false): Span[] {
  return new PhraseFinder(phrases.map(codes)).find(codes(text), isCut)
}

/** Which characters belong to a phrase, found one phrase and one place at a time. */
function coveredBy(phrases: string[], text: string): boolean[] {
  const covered = Array<boolean>(text.length).fill(false)
  for (const phrase of phrases) {
    for (let at = 0; at < text.length; at++) {
      if (text.startsWith(phrase, at)) covered.fill(true, at, at + phrase.length)
    }
  }
  return covered
}

it('finds what a search for each phrase at each place finds', () => {
  fc.assert(
    fc.property(fc.array(few(0, 6), { maxLength: 6 }), few(0, 40), (phrases, text) => {
      const covered = Array<boolean>(text.length).fill(false)
      for (const [from, to] of find(phrases, text)) covered.fill(true, from, to)
      expect(covered).toEqual(coveredBy(phrases, text))
    }),
    { numRuns: 1_000 },
  )
})

it.each<[string[], string, Span[]]>([
  [['abc', 'cde'], 'xabcdex', [[1, 6]]],
  [
    ['ab'],
    'abab-ab',
    [
      [0, 4],
      [5, 7],
    ],
  ],
  [['b', 'abcd'], 'abce', [[1, 2]]],
  [['c', 'd', 'abcd'], 'abcd', [[0, 4]]],
  [['b', 'd', 'abcde'], 'abcde', [[0, 5]]],
])('spans that overlap or touch are one: %j in %j', (phrases, text, spans) => {
  expect(find(phrases, text)).toEqual(spans)
})

it('of a phrase that the end of a text cuts off, finds the beginning', () => {
  expect(find(['abcdefgh'], 'xxabcde', true)).toEqual([[2, 7]])
  expect(find(['abcdefgh'], 'xxabcd', true)).toEqual([[2, 6]])
  expect(find(['abcdefgh'], 'xxabc', true)).toEqual([])
})

it('unites the spans of two searches', () => {
  expect(
    uniteSpans(
      [
        [0, 2],
        [8, 9],
      ],
      [
        [1, 4],
        [4, 5],
      ],
    ),
  ).toEqual([
    [0, 5],
    [8, 9],
  ])
})

it('takes no more time for 5,000 phrases that all begin alike', () => {
  const phrases = Array.from({ length: 5_000 }, (_, at) => `${'a'.repeat(200)}${String(at)}`)
  expect(find(phrases, 'a'.repeat(1_000_000))).toEqual([])
})
