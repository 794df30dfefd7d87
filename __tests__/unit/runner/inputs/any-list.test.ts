import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { findJsonFault } from '../../../../src/runner/inputs/json-problem.ts'
import { listOf, textsIn } from './read-list.ts'

const blank = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 3 })
const awkward = fc.string({ unit: fc.constantFrom('"', '\\', '[', '}', ',', '\n', 'ü', '😀', 'a') })
const value = fc.oneof(fc.jsonValue(), awkward)
const seed = fc
  .tuple(fc.dictionary(fc.oneof(fc.string(), awkward), value), fc.constantFrom(0, 1, '\t'))
  .map(([object, indent]) => JSON.stringify(object, null, indent))

describe('whatever a list contains, and however it is written', () => {
  it('the texts of an array’s elements are found unchanged', () => {
    const parts = fc.array(fc.tuple(blank, seed, blank), { maxLength: 8 })
    fc.assert(
      fc.property(parts, blank, (elements, around) => {
        const inside = elements.map((part) => part.join('')).join()
        const texts = textsIn(listOf(`${around}[${inside}${around}]${around}`))
        expect(texts).toEqual(elements.map(([, json]) => json))
      }),
    )
  })

  it('the texts of lines are found unchanged', () => {
    const line = seed.map((json) => json.replaceAll(/\n[ \t]*/g, ''))
    const end = fc.constantFrom('\n', '\r\n', '\r', '\n \n')
    fc.assert(
      fc.property(fc.array(fc.tuple(line, end), { minLength: 1, maxLength: 8 }), (lines) => {
        expect(textsIn(listOf(lines.flat().join('')))).toEqual(lines.map(([json]) => json))
      }),
    )
  })
})

/** A fault in a word, escape, sign, fraction or exponent is reported where that part begins. */
const begun = /^(?:tr?u?|fa?l?s?|nu?l?|u[\da-f]{0,3}|-|\.|e[+-]?)?$/i

describe('whatever a text is', () => {
  const damage = fc.record({
    at: fc.nat(),
    cut: fc.nat(3),
    put: fc.string({
      unit: fc.constantFrom(...Array.from('{}[],:"\n\t\0\u001f/*x1-eE.+0truf\\😀')),
      maxLength: 3,
    }),
  })

  it('it counts as JSON if JSON.parse accepts it, and the fault is where JSON.parse finds it', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          seed,
          value.map((some) => JSON.stringify(some)),
        ),
        damage,
        (text, how) => {
          const from = how.at % (text.length + 1)
          const broken = text.slice(0, from) + how.put + text.slice(from + how.cut)
          const failure = failureOf(broken)
          const fault = findJsonFault(broken)
          expect(fault !== undefined).toBe(failure !== undefined)
          if (failure?.position === undefined) return
          expect(fault).toBeLessThanOrEqual(failure.position)
          expect(broken.slice(fault, failure.position)).toMatch(begun)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

/** Returns how JSON.parse fails, with the position if the error names one. */
function failureOf(text: string): { position: number | undefined } | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (message === 'Unexpected end of JSON input') return { position: text.length }
    const position = / at position (\d+) \(line \d+ column \d+\)$/.exec(message)?.[1]
    return { position: position === undefined ? undefined : Number(position) }
  }
}
