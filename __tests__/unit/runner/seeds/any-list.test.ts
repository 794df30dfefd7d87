/** Random lists, written in random ways. */
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { locateJsonProblem } from '../../../../src/runner/inputs/json-problem.ts'
import { readSeeds } from '../../../../src/runner/seeds/read-seeds.ts'
import { choppedSource, textsIn } from './reading.ts'

const blank = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 3 })
const awkward = fc.string({ unit: fc.constantFrom('"', '\\', '[', '}', ',', '\n', 'ü', '😀', 'a') })
const value = fc.oneof(fc.jsonValue(), awkward)
const seed = fc
  .tuple(fc.dictionary(fc.oneof(fc.string(), awkward), value), fc.constantFrom(0, 1, '\t'))
  .map(([object, indent]) => JSON.stringify(object, null, indent))
const chunkSize = fc.integer({ min: 1, max: 40 })

async function read(text: string, size: number) {
  return readSeeds(choppedSource(text, size), { lines: true, label: undefined })
}

describe('whatever is in a list, and however it is written', () => {
  it('the texts of an array’s elements are found as they stand', async () => {
    const parts = fc.array(fc.tuple(blank, seed, blank), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(parts, blank, chunkSize, async (elements, around, size) => {
        const inside = elements.map((part) => part.join('')).join()
        const text = `${around}[${inside}${around}]${around}`
        const list = await read(text, size)
        if ('problems' in list) throw new Error(list.problems.join())
        const texts = await textsIn(list)
        expect(texts).toEqual(elements.map(([, json]) => json))
        expect(texts.map((json) => JSON.parse(json) as unknown)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('the texts of lines are found as they stand', async () => {
    const line = seed.map((json) => json.replaceAll(/\n[ \t]*/g, ''))
    const end = fc.constantFrom('\n', '\r\n', '\r', '\n \n')
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(line, end), { minLength: 1, maxLength: 8 }),
        chunkSize,
        async (lines, size) => {
          const list = await read(lines.flat().join(''), size)
          if ('problems' in list) throw new Error(list.problems.join())
          expect(await textsIn(list)).toEqual(lines.map(([json]) => json))
        },
      ),
    )
  })

  it('a broken array is told with the place where the whole text stops being JSON', async () => {
    const damage = fc.record({
      at: fc.nat(),
      cut: fc.nat(3),
      put: fc.string({
        unit: fc.constantFrom(...Array.from('{}[],:"\nx1-e.tru\\😀')),
        maxLength: 2,
      }),
    })
    const elements = fc.array(seed, { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(elements, damage, chunkSize, async (texts, { at, cut, put }, size) => {
        const whole = `[${texts.join(',\r\n')}]`
        const from = 1 + (at % (whole.length - 1))
        const broken = whole.slice(0, from) + put + whole.slice(from + cut)
        fc.pre(broken.isWellFormed())
        const place = await placeOfFault(broken)
        const list = await read(broken, size)
        if (place === undefined) {
          const parsed = JSON.parse(broken) as unknown[]
          expect('problems' in list).toBe(!parsed.every(isObject))
        } else expect('problems' in list && list.problems.at(-1)?.endsWith(place)).toBe(true)
      }),
      { numRuns: 400 },
    )
  })
})

async function placeOfFault(text: string): Promise<string | undefined> {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const place = await locateJsonProblem(text, error)
    return `at line ${String(place?.line)}, column ${String(place?.column)}`
  }
}

function isObject(found: unknown): boolean {
  return typeof found === 'object' && found !== null && !Array.isArray(found)
}
