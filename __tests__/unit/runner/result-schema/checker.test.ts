import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { systemClock, type Clock } from '../../../../src/clock.ts'
import type { SchemaProblems } from '../../../../src/execution/result-problems.ts'
import { findSchemaProblems, ResultChecker } from '../../../../src/runner/result-schema/checker.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

const workerFile = fileURLToPath(
  new URL('../../../../src/runner/result-schema/worker.ts', import.meta.url),
)
const clock = systemClock
/** For what takes seconds on a busy machine. */
const patient: Clock = {
  ...systemClock,
  sleep: (_, until) => systemClock.sleep(600_000, until),
}

/** Each problem as one text. */
function linesOf(found: SchemaProblems | undefined): string[] {
  return (found?.problems ?? []).map(
    ({ place, expected, found }) =>
      `"${place}" ${expected}${found === undefined ? '' : ` ${found}`}`,
  )
}

const schemaProblems = async (schema: unknown) =>
  linesOf(await findSchemaProblems(JSON.stringify(schema), { workerFile, clock: patient }))

async function check(
  schema: unknown,
  result: string | Buffer,
  { cancelled = new AbortController(), clock = systemClock } = {},
) {
  await using folder = await makeTemporaryFolder()
  const file = path.join(folder.path, 'result.json')
  await writeFile(file, result)
  const context = { workerFile, clock, cancelled: cancelled.signal }
  await using checker = new ResultChecker(JSON.stringify(schema), context)
  return await checker.check(file)
}

const resultProblems = async (schema: unknown, result: string | Buffer) =>
  linesOf(await check(schema, result))

describe('a schema', () => {
  it('passes with what ordinary schemas do', async () => {
    const schemas = [
      { type: ['string', 'null'], 'x-note': 1, definitions: { a: true } },
      { required: ['a'], minItems: 1, if: { type: 'string' }, format: 'date', $anchor: 'a' },
      { $ref: '#/$defs/row', $defs: { row: { properties: { in: { $ref: '#/$defs/row' } } } } },
      { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'https://example.com/a' },
      { $dynamicAnchor: 'node', properties: { in: { $dynamicRef: '#node' } } },
      { $ref: '#/definitions/a', definitions: { a: { items: { $ref: '#' } } } },
      { properties: { 'a/b c': true, d: { $ref: '#/properties/a~1b%20c' } } },
      { allOf: [{ $anchor: 'a' }, { $ref: '#a' }, { items: { $ref: '#/allOf/0' } }] },
      { $id: 'https://example.com/a', items: { $ref: 'a#/$defs/b' }, $defs: { b: true } },
      { $ref: 'b', $defs: { a: { $id: 'b', items: { $ref: '#/$defs/c' }, $defs: { c: true } } } },
    ]

    expect(await Promise.all(schemas.map(schemaProblems))).toEqual(schemas.map(() => []))
  })

  it('is described with each problem in its place', async () => {
    const lines = await schemaProblems({
      type: 'aray',
      minItms: 1,
      properties: { a: { format: 'dat' }, 'b/c': { minimun: 3, pattern: '(' } },
      $defs: { q: { maximum: '3' } },
    })

    expect(lines).toEqual([
      '"/$defs/q/maximum" must be number "3"',
      expect.stringMatching(
        /^"\/properties\/a\/format" must be equal to one of .*: \["date",.* "dat"$/,
      ),
      '"/properties/b~1c" unknown keyword "minimun" (one of your own begins with x-)',
      '"/properties/b~1c/pattern" must be a regular expression (Unterminated group) "("',
      expect.stringMatching(/^"\/type" must be equal to one of .*: \["array",.*"string"\] "aray"$/),
      '"" unknown keyword "minItms" (one of your own begins with x-)',
    ])
  })

  it.each([
    [
      { items: { $ref: '#/$defs/no' } },
      '"/items/$ref" expected a reference to a schema within this one, such as below $defs (nothing is fetched), and it leads to none "#/$defs/no"',
    ],
    [{ $dynamicRef: '#row' }, '"/$dynamicRef" expected a reference to a schema within this one'],
    [
      { properties: { 'a/b': { items: { $dynamicRef: '#/$defs/no' } } } },
      '"/properties/a~1b/items/$dynamicRef" expected a reference to a schema within this one',
    ],
    [
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
      'refers to itself without end',
    ],
    [{ items: { $ref: '#/items' } }, 'refers to itself without end'],
    [{ $ref: 'https://example.com/x' }, '"/$ref" expected a reference to a schema within this one'],
    [
      { $schema: 'http://json-schema.org/draft-07/schema#' },
      '"/$schema" expected "https://json-sch',
    ],
    [[1], '"" must be object,boolean [1]'],
    [{ minimum: { a: 1 } }, '"/minimum" must be number {"a":1}'],
    [{ patternProperties: { '[': true } }, '"/patternProperties" property name must be valid: "["'],
    [
      { properties: { ['__proto__']: { type: 'string' } } },
      '"/properties" property name must be valid: "__proto__"',
    ],
  ])('%j is refused', async (schema, expected) => {
    expect((await schemaProblems(schema))[0]).toContain(expected)
  })

  it.each([
    '#/$defs',
    '#/properties',
    '#/required',
    '#/$defs/row/type',
    '#/x-row',
    '#x',
    '#/unused',
  ])('is refused where a reference leads to what is no schema: %s', async ($ref) => {
    const schema = {
      $defs: { row: { type: 'object' }, unused: { $ref: '#/$defs/no' } },
      properties: { a: true },
      required: ['a'],
      'x-row': { $anchor: 'x', propertis: {} },
      items: { $ref },
    }

    expect(await schemaProblems(schema)).toEqual([
      expect.stringContaining('"/$defs/unused/$ref" expected a reference to a schema'),
      `"/items/$ref" expected a reference to a schema within this one, such as below $defs (nothing is fetched), and it leads to none "${$ref}"`,
    ])
  })

  it.each([
    [
      { properties: { rows: { items: [true] } } },
      '"/properties/rows/items" must be object,boolean [true]',
    ],
    [{ properties: { a: 5 } }, '"/properties/a" must be object,boolean 5'],
    [{ items: { enum: [] } }, '"/items/enum" must NOT have fewer than 1 items []'],
    [
      { items: { pattern: 'a\\-b' } },
      '"/items/pattern" must be a regular expression (Invalid escape) "a\\\\-b"',
    ],
    [
      { items: { patternProperties: { '\\-': true } } },
      '"/items/patternProperties" property name must be valid: "\\\\-"',
    ],
  ])('is described once, and in its place: %j', async (schema, expected) => {
    expect(await schemaProblems(schema)).toEqual([expected])
  })

  it('of a megabyte, with thousands of properties, is one to check results by', async () => {
    const names = Array.from({ length: 12_000 }, (_, index) => `column number ${index}`)
    const part = { type: ['number', 'null'], title: 'one of many columns' }
    const schema = { properties: Object.fromEntries(names.map((name) => [name, part])) }
    const found = await check(schema, '{"column number 11999": "1"}', { clock: patient })

    expect(JSON.stringify(schema).length).toBeGreaterThan(900_000)
    expect(linesOf(found)).toEqual(['"/column number 11999" must be number,null "1"'])
  })

  it('is given up where it takes too long to compile, and where it is nested too deeply', async () => {
    const deep = `${'{"not":'.repeat(50_000)}true${'}'.repeat(50_000)}`
    const many = { allOf: Array.from({ length: 50_000 }, (_, index) => ({ minimum: index })) }

    expect(linesOf(await findSchemaProblems(deep, { workerFile, clock }))[0]).toMatch(/deep/)
    const found = await findSchemaProblems(JSON.stringify(many), { workerFile, clock })
    expect(linesOf(found).join()).toMatch(/^$|did not finish in 5 s|too many parts/)
  })

  it('has 5 s to compile, so that a result can be checked by it within 20 s elsewhere', async () => {
    const hurried: Clock = {
      ...systemClock,
      sleep: (span, until) => systemClock.sleep(span <= 5_000 ? 1 : 600_000, until),
    }
    const found = await findSchemaProblems('{}', { workerFile, clock: hurried })

    expect(linesOf(found)).toEqual(['"" it could not be compiled: that did not finish in 5 s'])
    expect(await check({}, '1', { clock: hurried })).toBeUndefined()
  })
})

describe('a result', () => {
  const rows = {
    type: 'array',
    minItems: 1,
    items: { type: 'object', required: ['price'], properties: { price: { type: 'number' } } },
  }

  it('that matches has no problem', async () => {
    expect(await check(rows, '\ufeff[{"price": 1, "price": 2.50}]')).toBeUndefined()
  })

  it('of 64 MiB is checked', async () => {
    const largest = Buffer.alloc(64 * 2 ** 20, ' ')
    largest.write('[{"price": 1}]')

    expect(await check(rows, largest)).toBeUndefined()
  })

  it('of 64 MiB is checked also where it becomes objects of 23 times its size', async () => {
    const largest = `[${'[[[[]]]],'.repeat(7_456_540)}1]`

    expect(await check({ type: 'array' }, largest, { clock: patient })).toBeUndefined()
  })

  it('with more problems than there is memory for is invalid', async () => {
    const schema = { items: { allOf: Array.from({ length: 100 }, () => ({ type: 'string' })) } }
    const found = await check(schema, `[${'1,'.repeat(999_999)}1]`, { clock: patient })

    expect(linesOf(found)).toEqual([
      '"" it could not be checked: that took more than 2 GiB of memory',
    ])
  })

  it.each([
    ['[]', ['"" must NOT have fewer than 1 items []']],
    [
      '[{"price":"12"},{}]',
      ['"/0/price" must be number "12"', '"/1" must have required property \'price\''],
    ],
    ['{"a":{"b":[1,null]}}', ['"" must be array {"a":{"b":[1,null]}}']],
    ['[{"price":1e400}]', ['"/0/price" must be number Infinity']],
    ['', ['"" it is empty']],
    [' \n', ['"" it is empty']],
    ['name,price\n', ['"" it is not JSON: a text with an unexpected "n" at line 1, column 1']],
    ['[1', ['"" it is not JSON: unexpected end of input at line 1, column 3']],
    [Buffer.from([0x22, 0xff, 0x22]), ['"" it is not JSON, since it is not UTF-8']],
    [
      Buffer.alloc(64 * 2 ** 20 + 1, ' '),
      ['"" it is larger than 64 MiB, the most that is checked'],
    ],
  ])('%.30s is described', async (result, expected) => {
    expect(await resultProblems(rows, result)).toEqual(expected)
  })

  it('is a multiple of 0.01 where it has two decimals, whatever JavaScript divides that to', async () => {
    const schema = { items: { multipleOf: 0.01 } }

    expect(await check(schema, '[19.99, 0.07, 1234567.89]')).toBeUndefined()
    expect(await resultProblems(schema, '[19.995]')).toEqual([
      '"/0" must be multiple of 0.01 19.995',
    ])
  })

  it.each([
    { items: { $dynamicRef: '#/$defs/a' }, $defs: { a: { type: 'number' } } },
    { items: { $dynamicRef: '#a' }, $defs: { a: { $anchor: 'a', type: 'number' } } },
    { items: { $dynamicRef: '#a' }, $defs: { a: { $dynamicAnchor: 'a', type: 'number' } } },
    { $dynamicAnchor: 'a', type: ['array', 'number'], items: { $dynamicRef: '#a' } },
    {
      $id: 'https://example.com/numbers',
      $ref: 'tree',
      $dynamicAnchor: 'a',
      type: ['array', 'number'],
      $defs: { tree: { $id: 'tree', $dynamicAnchor: 'a', items: { $dynamicRef: '#a' } } },
    },
  ])('is checked by what a $dynamicRef leads to: %j', async (schema) => {
    expect(await check(schema, '[1]')).toBeUndefined()
    const problems = await resultProblems(schema, '["x"]')
    expect(problems).toEqual([expect.stringMatching(/^"\/0" must be (array,)?number "x"$/)])
  })

  it.each([
    { $dynamicRef: '#a', $defs: { a: { $dynamicAnchor: 'a', properties: { b: true } } } },
    { $dynamicAnchor: 'a', properties: { b: true, c: { $dynamicRef: '#a' } } },
  ])('has no members left over that a $dynamicRef leads to: %j', async (schema) => {
    const strict = { ...schema, unevaluatedProperties: false }

    expect(await check(strict, '{"b": 1}')).toBeUndefined()
    expect(await resultProblems(strict, '{"d": 1}')).toEqual([
      '"" must NOT have unevaluated properties: "d"',
    ])
  })

  it('is not mistaken where its names are those of JavaScript', async () => {
    const schema = { required: ['__proto__', 'toString'], additionalProperties: { type: 'number' } }

    expect(await resultProblems(schema, '{"__proto__": 1}')).toEqual([
      '"" must have required property \'toString\'',
    ])
    expect(await resultProblems(schema, '{"toString": 1, "__proto__": "a"}')).toEqual([
      '"/__proto__" must be number "a"',
    ])
  })

  it('has the first of a million problems described, and all counted', async () => {
    const found = await check({ items: { type: 'string' } }, `[${'1,'.repeat(999_999)}1]`)

    expect([found?.problems.length, found?.count]).toEqual([20, 1_000_000])
  })

  it('has one problem for all parts of anyOf', async () => {
    const schema = { anyOf: [{ type: 'string' }, { type: 'null' }] }

    expect(await resultProblems(schema, '1')).toEqual(['"" must match a schema in anyOf 1'])
  })

  it.each([
    [
      'a schema that refers to itself',
      { allOf: [{ $ref: '#' }] },
      '1',
      'refers to itself without end',
    ],
    [
      'deep nesting',
      { items: { $ref: '#' } },
      `${'['.repeat(1e6)}${']'.repeat(1e6)}`,
      'it is nested too deeply',
    ],
  ])('cannot be checked: %s', async (_, schema, result, expected) => {
    expect((await resultProblems(schema, result))[0]).toContain(expected)
  })

  it('whose check does not end is invalid, and the next one is checked', async () => {
    await using folder = await makeTemporaryFolder()
    const [endless, small] = ['endless', 'small'].map((name) => path.join(folder.path, name))
    await writeFile(String(endless), `"${'a'.repeat(60)}!"`)
    await writeFile(String(small), '"a"')
    const { signal } = new AbortController()
    // Only the first check is out of time, and at once.
    let isLate = true
    const hurried: Clock = {
      ...systemClock,
      sleep: (span, until) => {
        const isNow = isLate
        isLate = false
        return systemClock.sleep(isNow ? 1 : span, until)
      },
    }
    const context = { workerFile, clock: hurried, cancelled: signal }
    await using checker = new ResultChecker('{"pattern": "^(a+)+$"}', context)
    const first = checker.check(String(endless))

    expect(linesOf(await first)).toEqual([
      '"" it could not be checked: that did not finish in 20 s',
    ])
    expect(await checker.check(String(small))).toBeUndefined()
  })

  it('whose file is gone is invalid', async () => {
    const context = { workerFile, clock, cancelled: new AbortController().signal }
    await using checker = new ResultChecker('{}', context)

    expect(linesOf(await checker.check('/nowhere/result.json'))).toEqual([
      '"" its file on the runner cannot be read: no such file or directory (ENOENT)',
    ])
  })

  it('is given up at once where the step is cancelled, whatever its pattern does', async () => {
    const cancelled = new AbortController()
    const checking = check({ pattern: '^(a+)+$' }, `"${'a'.repeat(60)}!"`, { cancelled })
    cancelled.abort(new Error('cancelled by a test'))

    await expect(checking).rejects.toThrow('cancelled by a test')
  })
})
