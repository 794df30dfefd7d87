import { describe, expect, it } from '@jest/globals'
import { textOf } from '../../../../src/messages/json.ts'
import { formOf, readRows, type Form } from '../../../../src/messages/summary/read-rows.ts'

/** Returns the rows of a text: the columns, then the cells of each row as text. */
async function tableOf(text: string, form: Form, isWhole = true) {
  const rows = await readRows(text, form, isWhole)
  if (!rows) return undefined
  const cells = rows.first.map((row) => row.map((cell) => cell !== undefined && textOf(cell)))
  return [rows.columns, ...cells]
}

const countOf = async (text: string, form: Form, isWhole = true) =>
  (await readRows(text, form, isWhole))?.count

describe('the form of a result', () => {
  it.each([
    ['application/json', 'result.json', 'json'],
    ['application/geo+json', 'result.geojson', 'json'],
    ['Text/CSV', 'result.csv', 'csv'],
    ['application/csv', 'result.bin', 'csv'],
    ['text/tab-separated-values', 'result.tsv', 'tsv'],
    ['application/x-ndjson', 'result.bin', 'json-lines'],
    ['application/jsonl', 'result.bin', 'json-lines'],
    ['application/octet-stream', 'result.json', 'json'],
    ['', 'result.json', 'json'],
    ['', 'result.csv', 'csv'],
    ['', 'result.bin', undefined],
    ['text/plain', 'result.txt', undefined],
    ['image/svg+xml', 'result.svg', undefined],
  ])('of type %j, named %j, is %s', (mediaType, name, form) => {
    expect(formOf(mediaType, name)).toBe(form)
  })
})

describe('rows in JSON', () => {
  it('may have nested values, which become JSON on one line', async () => {
    const text =
      '[\n{"a": {"b":\n [1.0, "x"]}, "n": 12345678901234567890},\n{"a": [], "c": null}\n]'
    expect(await tableOf(text, 'json')).toEqual([
      ['a', 'n', 'c'],
      ['{"b":[1.0,"x"]}', '12345678901234567890', false],
      ['[]', false, 'null'],
    ])
  })

  it('may be the only list of objects in an object', async () => {
    const text =
      '\ufeff{"total": 1.50, "next": null, "tags": ["x"], "meta": {}, "items": [{"a": 1}], "none": []}'
    const rows = await readRows(text, 'json', true)
    expect(rows?.around?.list).toBe('items')
    expect(rows?.around?.members.map(([name, value]) => [name, textOf(value)])).toEqual([
      ['total', '1.50'],
      ['next', 'null'],
    ])
    expect(await tableOf(text, 'json')).toEqual([['a'], ['1']])
  })

  it('may be lines, also if they are sent as JSON', async () => {
    const text = '{"a": 1}\r\n\n  {"a": 2.0}  \n'
    const table = [['a'], ['1'], ['2.0']]
    expect(await tableOf(text, 'json-lines')).toEqual(table)
    expect(await tableOf(text, 'json')).toEqual(table)
    expect(await tableOf('{"a": 1}\n', 'json-lines')).toEqual([['a'], ['1']])
  })

  it.each([
    ['no rows', '[]'],
    ['an object', '{"a": 1}'],
    ['two lists', '{"a": [{"x": 1}], "b": [{"x": 1}]}'],
    ['a list of lists', '[["a"], [1]]'],
    ['something else among the objects', '[{"a": 1}, 2]'],
    ['a broken row', '[{"a": 1}, {"a": }, {"a": 2}]'],
    ['a broken end', '[{"a": 1}, {"a": 2}'],
    ['a broken line', '{"a": 1}\n{"a": }\n{"a": 2}'],
    ['another line', '{"a": 1}\n[2]\n{"a": 2}'],
  ])('are not read: %s', async (_what, text) => {
    expect(await readRows(text, 'json', true)).toBeUndefined()
  })
})

describe('rows in CSV', () => {
  const table = [
    ['a', 'b'],
    ['1,5', 'x'],
    ['007', ''],
  ]
  it.each([
    ['comma', 'a,b\n"1,5",x\n007,\n'],
    ['semicolon', 'a;b\n1,5;x\n007;'],
    ['tab', 'a\tb\n1,5\tx\n007\t\n'],
    ['bar', 'a|b\n1,5|x\n007|\n'],
    ['byte order mark and CRLF', '\ufeffa,b\r\n"1,5",x\r\n007,\r\n'],
    ['empty lines', '\na,b\n\n"1,5",x\n007,\n\n\n'],
  ])('have their delimiter found out: %s', async (_what, text) => {
    expect(await tableOf(text, 'csv')).toEqual(table)
    expect(await countOf(text, 'csv')).toBe(2)
  })

  it('may have quotes, delimiters and line breaks in quoted cells', async () => {
    const text = 'text,n\n"a ""b"", c\nd",1.0\n'
    expect(await tableOf(text, 'csv')).toEqual([
      ['text', 'n'],
      ['a "b", c\nd', '1.0'],
    ])
  })

  it('may have one column, and equal or empty names', async () => {
    expect(await tableOf('a\nx\ny\n', 'csv')).toEqual([['a'], ['x'], ['y']])
    expect(await tableOf(',a,a\n1,2,3', 'csv')).toEqual([
      ['', 'a', 'a'],
      ['1', '2', '3'],
    ])
  })

  it('are divided as the heading is, also if a row is too short or has other delimiters', async () => {
    expect(await readRows('a;b\n1;2\n3\n', 'csv', true)).toBeUndefined()
    expect(await tableOf('a, b;c\nx;1,5\ny;2\n', 'csv')).toEqual([
      ['a, b', 'c'],
      ['x', '1,5'],
      ['y', '2'],
    ])
  })

  it('of TSV have no other delimiter', async () => {
    expect(await tableOf('a,b\nx,y\n', 'tsv')).toEqual([['a,b'], ['x,y']])
  })

  it.each([
    ['a heading alone', 'a,b\n'],
    ['nothing', ''],
    ['too few cells', 'a,b\n1,2\n3\n4,5\n'],
    ['too many cells', 'a,b\n1,2\n3,4,5\n'],
    ['a quote that never closes', 'a,b\n1,"2\n3,4\n'],
    ['text after a quote', 'a,b\n1,"2"3\n4,5\n'],
  ])('are not read: %s', async (_what, text) => {
    expect(await readRows(text, 'csv', true)).toBeUndefined()
  })
})

describe('the beginning of a file', () => {
  const rows = Array.from({ length: 60 }, (_, n) => `{"n":${n},"text":"\\u00e9 ${n}"}`)
  const json = rows.join(',\n')
  const csv = Array.from({ length: 60 }, (_, n) => `${n},"é\n""${n}"""\n`).join('')
  it.each([
    ['json', `[${json}`],
    ['json', `{"total": 9, "items": [${json}`],
    ['json-lines', rows.join('\n')],
    ['csv', `n,text\n${csv}`],
  ] as const)('shows only whole rows, wherever it ends: %s %.9s', async (form, text) => {
    for (const cut of Array.from({ length: 40 }, (_, more) => more + text.length - 40)) {
      const found = (await tableOf(text.slice(0, cut), form, false)) ?? []
      expect(found.length).toBeGreaterThan(57)
      expect(found.slice(1)).toEqual(
        found.slice(1).map((_, n) => [`${n}`, form === 'csv' ? `é\n"${n}"` : `é ${n}`]),
      )
      expect(await countOf(text.slice(0, cut), form, false)).toBeUndefined()
    }
    const few = await tableOf(text.slice(0, text.indexOf('2')), form, false)
    expect(few?.slice(0, 2)).toEqual([
      ['n', 'text'],
      ['0', form === 'csv' ? 'é\n"0"' : 'é 0'],
    ])
  })

  it.each([
    ['json', '[{"a": 1}, {"a": }, {"a": 222222222}'],
    ['json', `[{"a": 1}, {"a": "${'x'.repeat(2 ** 19)}"}, {"a": 2`],
    ['json', '{"a": 1'],
    ['json-lines', '{"a": 1}\n{"a": }\n{"a": 2'],
    ['json-lines', `{"a": 1}\n{"a": "${'x'.repeat(2 ** 19)}`],
    ['csv', 'a,b\n1,2,3\n4,5\n6'],
    ['csv', `a,b\n1,"2\n${'3,4\n'.repeat(2 ** 17)}`],
    ['csv', 'a,b\n1,2'],
  ] as const)('is no beginning of rows: %s %.50s', async (form, text) => {
    expect(await readRows(text, form, false)).toBeUndefined()
  })
})

describe('the size of rows', () => {
  const cells = (count: number) => Array.from({ length: count }, (_, n) => `c${n}`)
  const csvOf = (count: number) => `${cells(count).join()}\n${cells(count).join()}\n`
  const jsonOf = (count: number) =>
    JSON.stringify([Object.fromEntries(cells(count).map((name) => [name, 1]))])

  it('is at most 1,000 columns', async () => {
    expect(await countOf(csvOf(1_000), 'csv')).toBe(1)
    expect(await countOf(csvOf(1_001), 'csv')).toBeUndefined()
    expect(await countOf(jsonOf(1_000), 'json')).toBe(1)
    expect(await countOf(jsonOf(1_001), 'json')).toBeUndefined()
  })

  it('is at most half a MiB in a row', async () => {
    const json = (length: number) => `[{"a":"${'x'.repeat(length - 8)}"}]`
    const csv = (length: number) => `a\n${'x'.repeat(length - 1)}\n`
    const lines = (length: number) => json(length).slice(1, -1)
    for (const [form, text] of [
      ['json', json],
      ['csv', csv],
      ['json-lines', lines],
    ] as const) {
      expect(await countOf(text(2 ** 19), form)).toBe(1)
      expect(await countOf(text(2 ** 19 + 1), form)).toBeUndefined()
    }
  })

  it('is 366 rows, which are enough for a chart', async () => {
    const csv = (count: number) => `n\n${'x\n'.repeat(count)}`
    const lines = (count: number) => '{"n":1}\n'.repeat(count)
    for (const [form, text] of [
      ['csv', csv],
      ['json-lines', lines],
    ] as const) {
      expect((await readRows(text(366), form, true))?.first).toHaveLength(366)
      expect((await readRows(text(367), form, true))?.first).toHaveLength(366)
      expect(await countOf(text(367), form)).toBe(367)
    }
  })
})
