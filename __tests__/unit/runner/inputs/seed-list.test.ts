import { describe, expect, it } from '@jest/globals'
import { remedy } from '../../../../src/runner/inputs/json-problem.ts'
import { listOf, problemsInList, textsIn } from './read-list.ts'

const odd = [
  '{"big": 12345678901234567890, "ratio": 1.0, "huge": 1e400, "zero": -0}',
  '{ "same": 1,\t"same": 2 }',
  String.raw`{"escaped": "\u00e9\/\\", "quote": "\"}", "brackets": "]}[{"}`,
  '{"emoji": "😀", "ü": ["é", {"deep": [[]]}]}',
]

describe('the texts of seeds', () => {
  it('are the elements of an array, character for character', () => {
    const inside = '{"a":\r\n  [1,\n 2]}'
    expect(textsIn(listOf(` [ ${odd.join(' ,\n')},${inside}]\n`))).toEqual([...odd, inside])
  })

  it('are the lines, without the white space around them', () => {
    expect(textsIn(listOf(odd.join('\n')))).toEqual(odd)
    expect(textsIn(listOf(`\r\n  ${odd.join(' \t\r\n\r\n')}\r\n`))).toEqual(odd)
    expect(textsIn(listOf('{"a": 1}\r{"a": 2}'))).toEqual(['{"a": 1}', '{"a": 2}'])
  })

  it('may be as deep as memory allows', () => {
    const depth = 200_000
    const deep = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect(textsIn(listOf(`[${deep}]`))).toEqual([deep])
  })

  it.each([' [ ] ', '', ' \r\n\t\n'])('may be none: %j', (text) => {
    expect(listOf(text)).toEqual([])
  })
})

describe('the key of a seed', () => {
  it('comes with its place, and with the number of equal texts before it', () => {
    const seeds = listOf('[{"a":1}, {"a": 1}, {"a":1}, {"a":1}]')
    const [first, spaced] = seeds.map(({ key }) => key)
    expect(spaced).not.toBe(first)
    expect(seeds).toEqual([
      { number: 1, text: '{"a":1}', label: undefined, key: first, occurrence: 0 },
      { number: 2, text: '{"a": 1}', label: undefined, key: spaced, occurrence: 0 },
      { number: 3, text: '{"a":1}', label: undefined, key: first, occurrence: 1 },
      { number: 4, text: '{"a":1}', label: undefined, key: first, occurrence: 2 },
    ])
  })

  it('is the same in an array and in lines, and in every release', () => {
    const array = listOf('[{"a":1},\n{"b":2}]')
    expect(listOf('{"a":1}\n{"b":2}')).toEqual(array)
    expect(array[0]?.key).toBe('015abd7f5cc57a2dd94b7590f04ad808')
  })
})

const example = '[{"city": "Bern"}, {"city": "Rome"}]'

describe('a text that is no list', () => {
  const array = 'expected a JSON array of objects'
  const either = `${array}, or one JSON object per line`
  const json = `write JSON, for example ${example}`
  const object = 'an object; put the seeds into [ and ], or give one object per line in seeds-file'

  it.each([
    [
      'city,country\nUlm,DE',
      'a text with an unexpected "c" (it looks like CSV) at line 1, column 1',
    ],
    ['- city: Ulm', 'a text with an unexpected "-" at line 1, column 1'],
    ['\n  "text', 'unexpected end of input at line 2, column 8'],
  ])('%j is neither of the two', (text, found) => {
    expect(problemsInList(text)).toEqual([`${either}, found ${found}; ${json}`])
  })

  it.each([
    ['\n  "text"', 'a string'],
    ['2', 'a number'],
    ['false', 'a boolean'],
  ])('may be %j, which is no list', (text, found) => {
    const words = `found ${found}; write an array, for example ${example}`
    expect(problemsInList(text)).toEqual([`${either}, ${words}`])
    expect(problemsInList(text, 'inline')).toEqual([`${array}, ${words}`])
  })

  it('may be a path, or null', () => {
    expect(problemsInList('data\\seeds.csv', 'inline')).toEqual([
      `${array}, found a path; give the path to the input seeds-file`,
    ])
    expect(problemsInList('null')).toEqual([
      expect.stringContaining('null, which toJSON gives for a missing value'),
    ])
  })

  it.each([
    [' {"a":\n1}\n', object],
    ['{"a": 1}, {"b": 2}', object],
    ['{{"a": 1}}', `a text with an unexpected "{" at line 1, column 2${remedy}`],
    ['', `unexpected end of input at line 1, column 1; ${json}`],
  ])('may be %j, if only an array is allowed', (text, found) => {
    expect(problemsInList(text, 'inline')).toEqual([`${array}, found ${found}`])
  })

  it('has more than 10,000 seeds', () => {
    const seeds = Array.from({ length: 10_000 }, () => '{}')
    expect(listOf(seeds.join('\n'))).toHaveLength(10_000)
    const problem =
      'expected at most 10,000 seeds, found more; split the list over the jobs of a matrix'
    expect(problemsInList([...seeds, '{}', '{}'].join('\n'))).toEqual([problem])
    expect(problemsInList(`[${[...seeds, '{}', '{}'].join()}]`)).toEqual([problem])
  })
})

describe('an element that is no seed', () => {
  it.each([
    ['[]', 'an array'],
    ['null', 'null'],
    ['"text"', 'a string'],
    ['-1.5e3', 'a number'],
    ['true', 'a boolean'],
  ])('%s is reported with its number and place', (element, kind) => {
    const words = `element 2: expected a JSON object, found ${kind}`
    const inArray = `[{"ü😀": 1}, ${element} ,\n {}]`
    expect(problemsInList(inArray)).toEqual([`${words}, at line 1, column 14`])
    const onLines = `{}\n\n ${element}\n{}`
    expect(problemsInList(onLines)).toEqual([
      `expected a JSON object, found ${kind}, at line 3, column 2`,
    ])
  })
})

it.each([`[${'1,'.repeat(99)}1]`, '{}\n'.repeat(2) + '1\n'.repeat(99)])(
  'a list is not read after more problems than an annotation shows',
  (text) => {
    expect(problemsInList(text)).toHaveLength(21)
  },
)

describe('broken JSON in an array', () => {
  it.each([
    ['[{"a": 1}, {"a": x}]', '"x" at line 1, column 18'],
    ['[{"a": "x}, {"b": 1}]', '"b" at line 1, column 15'],
    ['[{"a": "\n"}]', 'white space or control character at line 1, column 9'],
    ['[{"a": 1}\n {"a": 2}]', '"{" at line 2, column 2'],
    ['[{}]\n😀', '"😀" at line 2, column 1'],
  ])('%j is reported with its place', (text, found) => {
    const problem = `expected a JSON array of objects, found a text with an unexpected ${found}`
    expect(problemsInList(text, 'file')).toEqual([`${problem}; write JSON, for example ${example}`])
    // Only an inline list can contain a value of an expression.
    expect(problemsInList(text, 'inline')).toEqual([`${problem}${remedy}`])
  })
})

describe('broken JSON on a line', () => {
  const expected = 'expected a JSON object on one line, found'
  const advice = '; `jq -c` writes each object on one line'

  it('is reported with its line, and the next lines are checked', () => {
    const lines = Array.from({ length: 900 }, () => '{"a": 1}')
    lines[0] = 'a'
    lines[811] = '{"a": }'
    lines[812] = '{"a": 1'
    lines[899] = '{"a": 1} {"a": 2}'
    expect(problemsInList(lines.join('\r\n'))).toEqual([
      `${expected} a text with an unexpected "a" at line 1, column 1`,
      `${expected} a text with an unexpected "}" at line 812, column 7`,
      `${expected} unexpected end of input at line 813, column 8${advice}`,
      `${expected} a text with an unexpected "{" at line 900, column 10`,
    ])
  })

  it('may be a comma after the object', () => {
    expect(problemsInList('{"a": 1},\n{"a": 2}\n')).toEqual([
      `${expected} a text with an unexpected "," at line 1, column 9; remove the comma after each object`,
    ])
  })

  it('is one problem for each object that continues after its line', () => {
    expect(problemsInList('{"a": 1}\n\n{\n  "a": 1\n}\n{\n  "a": 2\n}\n')).toEqual([
      `${expected} unexpected end of input at line 3, column 2${advice}`,
      `${expected} unexpected end of input at line 6, column 2${advice}`,
    ])
  })
})
