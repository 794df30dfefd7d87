import { describe, expect, it } from '@jest/globals'
import { listOf, problemsIn, textsIn } from './reading.ts'

const odd = [
  '{"big": 12345678901234567890, "ratio": 1.0, "huge": 1e400, "zero": -0}',
  '{ "same": 1,\t"same": 2 }',
  String.raw`{"escaped": "\u00e9\/\\", "quote": "\"}", "brackets": "]}[{"}`,
  '{"emoji": "😀", "ü": ["é", {"deep": [[]]}]}',
]

describe('the texts of seeds', () => {
  it('are what stands in an array, character for character', async () => {
    const inside = '{"a":\r\n  [1,\n 2]}'
    const list = await listOf(` [ ${odd.join(' ,\n')},${inside}]\n`)
    expect(await textsIn(list)).toEqual([...odd, inside])
  })

  it('are what stands on lines, without the white space around it', async () => {
    expect(await textsIn(await listOf(odd.join('\n')))).toEqual(odd)
    expect(await textsIn(await listOf(`\r\n  ${odd.join(' \t\r\n\r\n')}\r\n`))).toEqual(odd)
    expect(await textsIn(await listOf('{"a": 1}\r{"a": 2}'))).toEqual(['{"a": 1}', '{"a": 2}'])
  })

  it('lose a byte order mark before the first, and nothing else', async () => {
    expect(await textsIn(await listOf('\uFEFF[{"a": "\uFEFF"}]'))).toEqual(['{"a": "\uFEFF"}'])
    expect(await textsIn(await listOf('\uFEFF{"a": "\uFEFF"}\n'))).toEqual(['{"a": "\uFEFF"}'])
  })

  it('may be none: an empty array is a list', async () => {
    expect(await listOf(' [ ] ')).toMatchObject({ seeds: [], total: 0 })
  })
})

describe('what is kept of a seed', () => {
  it('is its place, and what tells it from others: its text, and how often that came before', async () => {
    const { seeds, total } = await listOf('[{"a":1}, {"a": 1}, {"a":1}, {"a":1}]')
    const [first, spaced] = seeds.map(({ key }) => key)
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(spaced).not.toBe(first)
    expect(total).toBe(4)
    expect(seeds).toEqual([
      { index: 0, label: undefined, key: first, occurrence: 0 },
      { index: 1, label: undefined, key: spaced, occurrence: 0 },
      { index: 2, label: undefined, key: first, occurrence: 1 },
      { index: 3, label: undefined, key: first, occurrence: 2 },
    ])
  })

  it('is the same from an array as from lines, and from release to release', async () => {
    const array = await listOf('[{"a":1},\n{"b":2}]')
    const lines = await listOf('{"a":1}\n{"b":2}')
    expect(lines.seeds).toEqual(array.seeds)
    expect(array.seeds[0]?.key).toBe('015abd7f5cc57a2dd94b7590f04ad808')
  })

  it('has the label that the path leads to', async () => {
    const label = ['city', 'name']
    const { seeds } = await listOf('{"city": {"name": "Ulm"}}\n{"city": "Ulm"}', { label })
    expect(seeds.map((seed) => seed.label)).toEqual(['Ulm', undefined])
  })
})

describe('a list that is none', () => {
  const array = 'expected a JSON array of objects'
  const either = `${array}, or one JSON object a line`

  it.each(['', ' \r\n\t', '\uFEFF', '\uFEFF \n'])('%j is empty', async (text) => {
    expect(await problemsIn(text)).toEqual([`${either}, found nothing; an empty list is []`])
  })

  it.each([
    ['null', 'n', 1, 1],
    ['city,country\nUlm,DE', 'c', 1, 1],
    ['\n  "text"', '"', 2, 3],
  ])('%j is neither of the two', async (text, character, line, column) => {
    const found = `${either}, found a text with an unexpected ${JSON.stringify(character)}`
    expect(await problemsIn(text)).toEqual([`${found} at line ${line}, column ${column}`])
  })

  it('is one of lines, where only an array will do', async () => {
    expect(await problemsIn('{"a": 1}', { lines: false })).toEqual([
      `${array}, found a text with an unexpected "{" at line 1, column 1`,
    ])
  })

  it('has more than 10,000 seeds', async () => {
    const seeds = Array.from({ length: 10_000 }, () => '{}')
    expect((await listOf(seeds.join('\n'))).total).toBe(10_000)
    const problem = 'expected at most 10,000 seeds, found more; split the list over several steps'
    expect(await problemsIn([...seeds, '{}'].join('\n'))).toEqual([problem])
    expect(await problemsIn(`[${[...seeds, '{}'].join()}]`)).toEqual([problem])
  })
})

describe('an element that is no seed', () => {
  it.each([
    ['[]', 'an array'],
    ['null', 'null'],
    ['"text"', 'a string'],
    ['-1.5e3', 'a number'],
    ['true', 'a boolean'],
  ])('%s is told with its number and place', async (element, kind) => {
    const words = `element 2: expected a JSON object, found ${kind}`
    const array = `[{"ü😀": 1}, ${element} ,\n {}]`
    expect(await problemsIn(array)).toEqual([`${words}, at line 1, column 14`])
    const lines = `{}\n\n ${element}\n{}`
    expect(await problemsIn(lines)).toEqual([`${words}, at line 3, column 2`])
  })

  it('does not keep the next ones from being looked at', async () => {
    expect(await problemsIn('[1, {}, "a"]')).toEqual([
      'element 1: expected a JSON object, found a number, at line 1, column 2',
      'element 3: expected a JSON object, found a string, at line 1, column 9',
    ])
  })

  it('is too deep', async () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    expect((await listOf(`[${nested(900)}]`)).total).toBe(1)
    const problem =
      'element 1: expected at most 900 objects and lists in one another, found more, at line 1, column'
    expect(await problemsIn(`[${nested(901)}]`)).toEqual([`${problem} 2`])
    expect(await problemsIn(nested(901))).toEqual([`${problem} 1`])
  })

  it.each([
    ['[{}, {"a": "', '"}]', 6],
    ['{}\n{"a": "', '"}', 1],
  ])('is not UTF-8: %j', async (before, after, column) => {
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from([0xe9]), Buffer.from(after)])
    const line = before.split('\n').length
    expect(await problemsIn(bytes)).toEqual([
      `element 2: expected UTF-8, found another encoding (save the file as UTF-8), at line ${line}, column ${column}`,
    ])
  })
})

describe('broken JSON in an array', () => {
  it.each([
    ['[{"a": 1}, {"a": x}]', 'element 2: expected a JSON object', '"x" at line 1, column 18'],
    [
      '[{"a": 1}\n {"a": 2}]',
      'behind element 1: expected a comma or the end of the array',
      '"{" at line 2, column 2',
    ],
    ['[{"a": 1},\n]', 'element 2: expected a JSON object', '"]" at line 2, column 1'],
    ['[,{}]', 'element 1: expected a JSON object', '"," at line 1, column 2'],
    ['[{}]\n😀', 'behind the array: expected nothing more', '"😀" at line 2, column 1'],
    [
      '[{}}',
      'behind element 1: expected a comma or the end of the array',
      '"}" at line 1, column 4',
    ],
    ["['a', {}]", 'element 1: expected a JSON object', `"'" at line 1, column 2`],
    ['[{"a": [1}, {}]', 'element 1: expected a JSON object', '"}" at line 1, column 10'],
    ['[{"a": 1, {"b": 2}]', 'element 1: expected a JSON object', '"{" at line 1, column 11'],
    ['[{"a": "x}, {"b": 1}]', 'element 1: expected a JSON object', '"b" at line 1, column 15'],
    [
      '[{"a": "\n"}]',
      'element 1: expected a JSON object',
      'white space or control character at line 1, column 9',
    ],
    ['[-, {}]', 'element 1: expected a JSON object', '"," at line 1, column 3'],
    ['[{}, tru, {}]', 'element 2: expected a JSON object', '"t" at line 1, column 6'],
  ])('%j is told with its place', async (text, expected, found) => {
    expect(await problemsIn(text)).toEqual([
      `${expected}, found a text with an unexpected ${found}`,
    ])
  })

  it.each([
    ['[', 'element 1: expected a JSON object', 1, 2],
    ['[{}', 'behind element 1: expected a comma or the end of the array', 1, 4],
    ['[{},\n', 'element 2: expected a JSON object', 2, 1],
    ['[{}, {"a": [1,\r\n\r\n', 'element 2: expected a JSON object', 3, 1],
    ['[{"a": "b', 'element 1: expected a JSON object', 1, 10],
    ['[{"a": "b\\', 'element 1: expected a JSON object', 1, 11],
  ])('%j ends too early', async (text, expected, line, column) => {
    expect(await problemsIn(text)).toEqual([
      `${expected}, found a text that ends too early, at line ${line}, column ${column}`,
    ])
  })

  it('a number or a word at the end of the text is told, and that the array does not end', async () => {
    expect(await problemsIn('[{}, 1')).toEqual([
      'element 2: expected a JSON object, found a number, at line 1, column 6',
      'behind element 2: expected a comma or the end of the array, found a text that ends too early, at line 1, column 7',
    ])
  })
})

describe('broken JSON on a line', () => {
  it('is told with its line, and the next lines are looked at', async () => {
    const lines = Array.from({ length: 900 }, () => '{"a": 1}')
    lines[811] = '{"a": }'
    lines[899] = '{"a": 1} {"a": 2}'
    const expected = 'expected a JSON object on one line, found a text with an unexpected'
    expect(await problemsIn(lines.join('\r\n'))).toEqual([
      `element 812: ${expected} "}" at line 812, column 7`,
      `element 900: ${expected} "{" at line 900, column 10`,
    ])
  })

  it('is the only problem, where an object goes on behind its line', async () => {
    expect(await problemsIn('{"a": 1}\n\n{\n  "a": 1\n}\n')).toEqual([
      'element 2: expected a JSON object on one line, found a text that ends too early, at line 3, column 2',
    ])
  })

  it('may be a byte order mark in the middle of the file', async () => {
    expect(await problemsIn('{}\n\uFEFF{}')).toEqual([
      'element 2: expected a JSON object on one line, found a text with an unexpected white space or control character at line 2, column 1',
    ])
  })
})
