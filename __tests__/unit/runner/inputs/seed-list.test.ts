import { describe, expect, it } from '@jest/globals'
import { labelSeeds, readSeedList } from '../../../../src/runner/inputs/seed-list.ts'
import { remedy } from '../../../../src/runner/inputs/seed.ts'
import { listOf, problemsIn, textsIn } from './read-list.ts'

const odd = [
  '{"big": 12345678901234567890, "ratio": 1.0, "huge": 1e400, "zero": -0}',
  '{ "same": 1,\t"same": 2 }',
  String.raw`{"escaped": "\u00e9\/\\", "quote": "\"}", "brackets": "]}[{"}`,
  '{"emoji": "😀", "ü": ["é", {"deep": [[]]}]}',
]

describe('the texts of seeds', () => {
  it('are the elements of an array, character for character', async () => {
    const inside = '{"a":\r\n  [1,\n 2]}'
    expect(textsIn(await listOf(` [ ${odd.join(' ,\n')},${inside}]\n`))).toEqual([...odd, inside])
  })

  it('are the lines, without the white space around them', async () => {
    expect(textsIn(await listOf(odd.join('\n')))).toEqual(odd)
    expect(textsIn(await listOf(`\r\n  ${odd.join(' \t\r\n\r\n')}\r\n`))).toEqual(odd)
    expect(textsIn(await listOf('{"a": 1}\r{"a": 2}'))).toEqual(['{"a": 1}', '{"a": 2}'])
  })

  it('may be as deep as memory allows', async () => {
    const depth = 200_000
    const deep = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect(textsIn(await listOf(`[${deep}]`))).toEqual([deep])
  })

  it.each([' [ ] ', '', ' \r\n\t\n'])('may be none: %j', async (text) => {
    expect(await listOf(text)).toEqual({ seeds: [], total: 0 })
  })
})

describe('the key of a seed', () => {
  it('comes with its place, and with the number of equal texts before it', async () => {
    const { seeds, total } = await listOf('[{"a":1}, {"a": 1}, {"a":1}, {"a":1}]')
    const [first, spaced] = seeds.map(({ key }) => key)
    expect(spaced).not.toBe(first)
    expect(total).toBe(4)
    expect(seeds).toEqual([
      { index: 0, text: '{"a":1}', label: undefined, key: first, occurrence: 0 },
      { index: 1, text: '{"a": 1}', label: undefined, key: spaced, occurrence: 0 },
      { index: 2, text: '{"a":1}', label: undefined, key: first, occurrence: 1 },
      { index: 3, text: '{"a":1}', label: undefined, key: first, occurrence: 2 },
    ])
  })

  it('is the same in an array and in lines, and in every release', async () => {
    const array = await listOf('[{"a":1},\n{"b":2}]')
    expect(await listOf('{"a":1}\n{"b":2}')).toEqual(array)
    expect(array.seeds[0]?.key).toBe('015abd7f5cc57a2dd94b7590f04ad808')
  })

  it('comes with the label that the path leads to', async () => {
    const { seeds } = await listOf('{"city": {"name": "Ulm"}}\n{"city": "Ulm"}')
    const labelled = await labelSeeds(seeds, '/city/name')
    expect(labelled.map((seed) => seed.label)).toEqual(['Ulm', undefined])
  })
})

describe('a text that is no list', () => {
  const array = 'expected a JSON array of objects'
  const either = `${array}, or one JSON object per line`

  it.each([
    ['city,country\nUlm,DE', 'c', 1, 1],
    ['\n  "text', '"', 2, 3],
  ])('%j is neither of the two', async (text, character, line, column) => {
    const found = `${either}, found a text with an unexpected ${JSON.stringify(character)}`
    expect(await problemsIn(text)).toEqual([`${found} at line ${line}, column ${column}`])
  })

  it.each([
    ['null', 'null'],
    ['\n  "text"', 'a string'],
    ['2', 'a number'],
    ['false', 'a boolean'],
  ])('may be %j, which is no list', async (text, found) => {
    expect(await problemsIn(text)).toEqual([`${either}, found ${found}`])
    expect(await problemsIn(text, { lines: false })).toEqual([`${array}, found ${found}`])
  })

  it.each([
    ['{"a": 1}', 'an object; give one object per line in seeds-file instead'],
    [' {"a":\n1}\n', 'an object; give one object per line in seeds-file instead'],
    ['{"a": 1}\n{"b": 2}', 'an object; give one object per line in seeds-file instead'],
    ['{"a": 1}, {"b": 2}', 'an object; give one object per line in seeds-file instead'],
    ['{{"a": 1}}', 'a text with an unexpected "{" at line 1, column 1'],
    ['', 'unexpected end of input at line 1, column 1'],
  ])('may be %j, if only an array is allowed', async (text, found) => {
    expect(await problemsIn(text, { lines: false })).toEqual([`${array}, found ${found}`])
  })

  it('has more than 10,000 seeds', async () => {
    const seeds = Array.from({ length: 10_000 }, () => '{}')
    expect((await listOf(seeds.join('\n'))).total).toBe(10_000)
    const problem = 'expected at most 10,000 seeds, found more; split the list over several steps'
    expect(await problemsIn([...seeds, '{}', '{}'].join('\n'))).toEqual([problem])
    expect(await problemsIn(`[${[...seeds, '{}', '{}'].join()}]`)).toEqual([problem])
  })
})

describe('an element that is no seed', () => {
  it.each([
    ['[]', 'an array'],
    ['null', 'null'],
    ['"text"', 'a string'],
    ['-1.5e3', 'a number'],
    ['true', 'a boolean'],
  ])('%s is reported with its number and place', async (element, kind) => {
    const words = `element 2: expected a JSON object, found ${kind}`
    const inArray = `[{"ü😀": 1}, ${element} ,\n {}]`
    expect(await problemsIn(inArray)).toEqual([`${words}, at line 1, column 14`])
    const onLines = `{}\n\n ${element}\n{}`
    expect(await problemsIn(onLines)).toEqual([
      `expected a JSON object, found ${kind}, at line 3, column 2`,
    ])
  })

  it('does not prevent checks of the next elements', async () => {
    expect(await problemsIn('[1, {}, "a"]')).toEqual([
      'element 1: expected a JSON object, found a number, at line 1, column 2',
      'element 3: expected a JSON object, found a string, at line 1, column 9',
    ])
  })
})

describe('broken JSON in an array', () => {
  it.each([
    ['[{"a": 1}, {"a": x}]', '"x" at line 1, column 18'],
    ['[{"a": 1},\n]', '"]" at line 2, column 1'],
    ['[{"a": "x}, {"b": 1}]', '"b" at line 1, column 15'],
    ['[{"a": "\n"}]', 'white space or control character at line 1, column 9'],
    ['[{"a": 1}\n {"a": 2}]', '"{" at line 2, column 2'],
    ['[{}]\n😀', '"😀" at line 2, column 1'],
  ])('%j is reported with its place', async (text, found) => {
    expect(await problemsIn(text)).toEqual([
      `expected a JSON array of objects, found a text with an unexpected ${found}${remedy}`,
    ])
  })
})

describe('broken JSON on a line', () => {
  const expected = 'expected a JSON object on one line, found'

  it('is reported with its line, and the next lines are checked', async () => {
    const lines = Array.from({ length: 900 }, () => '{"a": 1}')
    lines[0] = 'a'
    lines[811] = '{"a": }'
    lines[812] = '{"a": 1'
    lines[899] = '{"a": 1} {"a": 2}'
    expect(await problemsIn(lines.join('\r\n'))).toEqual([
      `${expected} a text with an unexpected "a" at line 1, column 1`,
      `${expected} a text with an unexpected "}" at line 812, column 7`,
      `${expected} unexpected end of input at line 813, column 8`,
      `${expected} a text with an unexpected "{" at line 900, column 10`,
    ])
  })

  it('is one problem for each object that continues after its line', async () => {
    expect(await problemsIn('{"a": 1}\n\n{\n  "a": 1\n}\n{\n  "a": 2\n}\n')).toEqual([
      `${expected} unexpected end of input at line 3, column 2`,
      `${expected} unexpected end of input at line 6, column 2`,
    ])
  })

  it('is reported for the first 20 lines, and the others are counted', async () => {
    const read = await readSeedList('{}\n' + '{x}\n'.repeat(25), { lines: true })
    expect(read).toMatchObject({ count: 25, problems: { length: 20 } })
  })

  it('may be due to a byte order mark in the middle of the file', async () => {
    expect(await problemsIn('{}\n\uFEFF{}')).toEqual([
      `${expected} a text with an unexpected white space or control character at line 2, column 1`,
    ])
  })
})
