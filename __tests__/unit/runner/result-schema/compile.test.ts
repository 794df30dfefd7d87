/** Tests which schemas are accepted, and which problems they find in results. */
import { describe, expect, it } from '@jest/globals'
import type { SchemaProblems } from '../../../../src/execution/result-problems.ts'
import { compileSchema } from '../../../../src/runner/result-schema/compile.ts'

/** Returns each problem as one text. */
function linesOf(found: SchemaProblems | undefined): string[] {
  return (found?.problems ?? []).map(
    ({ place, expected, found }) =>
      `"${place}" ${expected}${found === undefined ? '' : `, found ${found}`}`,
  )
}

function schemaProblems(schema: unknown): string[] {
  const compiled = compileSchema(schema)
  return 'problems' in compiled ? linesOf(compiled.problems) : []
}

/** Returns the problems of a JSON text. */
function resultProblems(schema: unknown, result: string): string[] {
  const compiled = compileSchema(schema)
  if ('problems' in compiled) throw new Error(linesOf(compiled.problems).join())
  return linesOf(compiled.check(JSON.parse(result)))
}

const ref = { $ref: '#/$defs/a', $defs: { a: { type: 'number' } } }

const definitions = {
  Cat: { type: 'object', required: ['kind', 'lives'], properties: { kind: { const: 'cat' } } },
  Dog: { type: 'object', properties: { kind: { const: 'dog' }, bark: { type: 'string' } } },
  Id: { minimum: 1, type: 'integer' },
  Tree: { anyOf: [{ type: 'null' }, { type: 'array', items: { $ref: '#/$defs/Tree' } }] },
}
const discriminator = { propertyName: 'kind' }
const animal = [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }]

describe('a value that fits no branch is described', () => {
  it.each([
    [
      'by the types of all branches',
      { anyOf: [{ type: 'number' }, { type: 'null' }] },
      ['"" expected a number or null, found "1"'],
      '1',
    ],
    [
      'by the branch with its type',
      { anyOf: [animal[0], { type: 'null' }] },
      ['"/kind" expected "cat", found "dog"', '"" the member lives is missing'],
      { kind: 'dog' },
    ],
    [
      'by the branch that the discriminator names',
      { oneOf: animal, discriminator },
      ['"/bark" expected a string, found 5'],
      { kind: 'dog', bark: 5 },
    ],
    [
      'in each row',
      { items: { anyOf: animal, discriminator } },
      ['"/0/bark" expected a string, found 5', '"/1/bark" expected a string, found 6'],
      [
        { kind: 'dog', bark: 5 },
        { kind: 'dog', bark: 6 },
      ],
    ],
    [
      'within a recursion',
      { $ref: '#/$defs/Tree' },
      ['"/0/0" expected null or an array, found 1'],
      [[1, null]],
    ],
    [
      'as a whole if several branches may be meant',
      { anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      ['"" must match a schema in anyOf'],
      {},
    ],
    [
      'as a whole if several branches fit',
      { oneOf: [{ minimum: 1 }, { maximum: 2 }] },
      ['"" must match exactly one schema in oneOf, found 1'],
      1,
    ],
    [
      'beside the errors of other keywords',
      { required: ['a'], properties: { b: { anyOf: animal, discriminator } } },
      ['"" the member a is missing', '"/b/bark" expected a string, found 5'],
      { b: { kind: 'dog', bark: 5 } },
    ],
    [
      'as a whole without a discriminator',
      { oneOf: animal },
      ['"" must match exactly one schema in oneOf'],
      { kind: 'dog', bark: 5 },
    ],
    [
      'as a whole by a constant, whose branch is not meant',
      { anyOf: [{ const: null }, { type: 'object' }] },
      ['"" must match a schema in anyOf, found 5'],
      5,
    ],
    [
      'once by what the branches share, and by no false schema of another branch',
      {
        oneOf: [
          { properties: { kind: { const: 'a' }, id: { $ref: '#/$defs/Id' }, b: false } },
          { properties: { kind: { const: 'b' }, id: { $ref: '#/$defs/Id' } } },
        ],
        discriminator,
      },
      ['"/id" expected an integer, found "x"'],
      { kind: 'b', id: 'x', b: 1 },
    ],
    [
      'beside a member whose name begins alike',
      {
        properties: {
          to_name: { $ref: '#/$defs/Id' },
          to: { anyOf: [{ $ref: '#/$defs/Id' }, { type: 'null' }] },
        },
      },
      ['"/to" expected an integer or null, found "y"', '"/to_name" expected an integer, found "x"'],
      { to_name: 'x', to: 'y' },
    ],
    [
      'without what is inside',
      { contains: animal[0] },
      ['"" must contain at least 1 valid item(s)'],
      [{ kind: 'dog' }],
    ],
  ])('%s: %j', (_, schema, expected, result) => {
    const problems = resultProblems({ ...schema, $defs: definitions }, JSON.stringify(result))

    expect(problems.toSorted()).toEqual(expected.toSorted())
  })

  it('also if it has half a million problems', () => {
    const row = { type: 'array', items: { type: 'integer' } }
    const compiled = compileSchema({ anyOf: [{ type: 'array', items: row }, { type: 'null' }] })
    const rows = Array.from({ length: 50_000 }, () => Array.from('ten texts!'))
    expect('check' in compiled && compiled.check(rows)?.count).toBe(500_000)
  })
})

describe('a keyword', () => {
  it.each([
    [{ type: ['object', 'null'] }, '{}', '1', '"" expected an object or null, found 1'],
    [{ const: { constructor: {} } }, '{"constructor":{}}', '{"constructor":1}', 'expected {"cons'],
    [{ enum: ['a', { b: 1, c: [2] }] }, '{"c":[2],"b":1}', '"b"', 'expected one of ["a",'],
    [{ minimum: 3 }, '3', '2.9', '"" expected at least 3, found 2.9'],
    [{ maximum: 10 }, '10', '1e400', '"" expected at most 10, found Infinity'],
    [{ exclusiveMinimum: 3 }, '4', '3', '"" expected more than 3, found 3'],
    [{ exclusiveMaximum: 3 }, '2', '3', 'expected less than 3, found 3'],
    [{ multipleOf: 86_400_000 }, '1728000000000', '1728000000050', 'expected a multiple of 864'],
    [{ multipleOf: 1 }, '2.0', '2.0000004', 'expected a multiple of 1'],
    [
      { multipleOf: 1 },
      '1125899906842624',
      '1125899906842624.25',
      'expected a multiple of 1, found',
    ],
    [{ multipleOf: 0.5 }, '1e308', '1e400', 'expected a multiple of 0.5, found Infinity'],
    [{ multipleOf: 0.01 }, '19.99', '19.995', 'expected a multiple of 0.01, found 19.995'],
    [{ minLength: 2 }, '"😀😀"', '"😀"', 'expected at least 2 characters, found "😀"'],
    [{ maxLength: 1 }, '"😀"', '"ab"', 'expected at most 1 character, found "ab"'],
    [{ pattern: '^a' }, '"ab"', '"ba"', 'expected a text that matches /^a/, found "ba"'],
    [{ format: 'date' }, '"2026-02-28"', '"2026-02-30"', 'expected the format date, found "2026'],
    [{ minItems: 1 }, '[1]', '[]', '"" expected at least 1 item, found 0'],
    [{ maxItems: 1 }, '[1]', '[1,2]', '"" expected at most 1 item, found 2'],
    [{ uniqueItems: true }, '[{"a":1},{"a":2}]', '[{"a":1,"b":2},{"b":2,"a":1}]', 'no two equal'],
    [{ prefixItems: [true], items: false }, '[1]', '[1,2]', 'must NOT have more than 1 items'],
    [{ items: { type: 'string' } }, '["a"]', '["a",1]', '"/1" expected a string, found 1'],
    [
      { contains: { const: 1 }, maxContains: 1 },
      '[1]',
      '[1,1]',
      'must contain at least 1 and no more than 1 valid',
    ],
    [{ contains: { const: 1 }, minContains: 2 }, '[1,1]', '[1]', 'must contain at least 2 valid'],
    [{ minProperties: 1 }, '{"a":1}', '{}', 'must NOT have fewer than 1 properties'],
    [{ maxProperties: 1 }, '{"a":1}', '{"a":1,"b":1}', 'must NOT have more than 1 properties'],
    [{ required: ['toString'] }, '{"toString":1}', '{}', 'the member toString is missing'],
    [
      { dependentRequired: { a: ['b'] } },
      '{"b":1}',
      '{"a":1}',
      'must have property b when property a is present',
    ],
    [
      { dependentSchemas: { a: { minProperties: 2 } } },
      '{"b":1}',
      '{"a":1}',
      'fewer than 2 properties',
    ],
    [{ properties: { a: { const: 1 } } }, '{"a":1}', '{"a":2}', '"/a" expected 1, found 2'],
    [{ patternProperties: { '^a': { const: 1 } } }, '{"b":2}', '{"ab":2}', '"/ab" expected 1'],
    [
      { additionalProperties: false },
      '{}',
      '{"a":1}',
      'no other member than the schema names, fou',
    ],
    [{ propertyNames: { maxLength: 1 } }, '{"a":1}', '{"ab":1}', 'property name must be valid'],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, '1', '3', 'expected at most 2'],
    [
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      'null',
      '1',
      '"" expected a string or null, found 1',
    ],
    [
      { oneOf: [{ minimum: 1 }, { maximum: 2 }] },
      '3',
      '1',
      'must match exactly one schema in oneOf',
    ],
    [{ not: { const: 1 } }, '2', '1', 'must NOT be valid, found 1'],
    [{ if: { minimum: 5 }, then: { const: 7 } }, '4', '6', 'expected 7, found 6'],
    [{ if: { minimum: 5 }, else: { const: 1 } }, '6', '2', 'expected 1, found 2'],
    [{ properties: { a: false } }, '{}', '{"a":1}', '"/a" expected no value here, found 1'],
    // Without a workaround, ajv checks these two schemas wrongly.
    [
      { not: { not: { prefixItems: [{ type: 'string' }], contains: { const: 1 } } } },
      '["a",1]',
      '[]',
      'must NOT be valid',
    ],
    [
      {
        patternProperties: { '^x': { type: 'string' } },
        anyOf: [{ required: ['a'] }, { additionalProperties: { type: 'number' } }],
      },
      '{"a":1,"x":"1"}',
      '{"x":"1"}',
      'must match a schema in anyOf',
    ],
    [{ ...ref, minimum: 2 }, '2', '1', '"" expected at least 2, found 1'],
    [ref, '1', '"n/a"', '"" expected a number, found "n/a"'],
    [{ items: { $ref: '#' }, type: 'array' }, '[[]]', '[1]', '"/0" expected an array, found 1'],
  ])('%j accepts %s and refuses %s', (schema, valid, invalid, expected) => {
    expect(resultProblems(schema, valid)).toEqual([])
    expect(resultProblems(schema, invalid)).toEqual([expect.stringContaining(expected)])
  })

  it.each([
    ['$anchor', 'a'],
    ['$dynamicAnchor', 'a'],
    ['$dynamicRef', '#a'],
    ['$id', 'https://example.com/a'],
    ['unevaluatedItems', false],
    ['unevaluatedProperties', false],
    ['additionalItems', false],
    ['dependencies', {}],
    ['nullable', true],
    ['example', 1],
  ])('%s is refused by name, with what to write instead', (keyword, value) => {
    expect(schemaProblems({ items: { [keyword]: value } })).toContainEqual(
      expect.stringContaining(`"/items" the keyword "${keyword}" is not supported here: `),
    )
  })
})

/** Schemas of people and generators, each with a result that matches and one that does not. */
const ordinary: readonly [string, object, unknown, unknown][] = [
  [
    'pydantic, with optional and decimal members, a tuple and a discriminated union',
    {
      $defs: {
        Cat: { title: 'Cat', type: 'object', properties: { kind: { const: 'cat' } } },
        Dog: { title: 'Dog', type: 'object', properties: { kind: { const: 'dog' } } },
      },
      title: 'Row',
      type: 'object',
      required: ['pet'],
      properties: {
        note: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
        price: { anyOf: [{ type: 'number' }, { type: 'string', pattern: '^[0-9.]+$' }] },
        pair: { type: 'array', minItems: 2, maxItems: 2, prefixItems: [{ type: 'integer' }, {}] },
        pet: {
          discriminator: { mapping: { cat: '#/$defs/Cat' }, propertyName: 'kind' },
          oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }],
        },
        database: { format: 'multi-host-uri', type: 'string' },
      },
    },
    { note: null, price: '1.5', pair: [1, 'a'], pet: { kind: 'cat' }, database: 'postgres://a,b' },
    { note: 5, price: '1.5', pair: [1, 'a'], pet: { kind: 'cat' } },
  ],
  [
    'zod, with a record, a tuple and a tree',
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        mail: { type: 'string', format: 'email', pattern: '^[^@]+@[^@]+$' },
        prices: {
          type: 'object',
          propertyNames: { type: 'string', enum: ['old', 'new'] },
          additionalProperties: { type: 'number' },
          required: ['old', 'new'],
        },
        pair: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'boolean' } },
        tree: { $ref: '#/$defs/__schema0' },
      },
      required: ['prices'],
      additionalProperties: false,
      $defs: {
        __schema0: {
          type: 'object',
          properties: { kids: { type: 'array', items: { $ref: '#/$defs/__schema0' } } },
          required: ['kids'],
          additionalProperties: false,
        },
      },
    },
    { mail: 'a@b.test', prices: { old: 1, new: 2 }, tree: { kids: [{ kids: [] }] } },
    { prices: { old: 1, new: 2 }, pair: ['a', true], tree: { kids: [{ kids: [1] }] } },
  ],
  [
    'quicktype',
    {
      $schema: 'http://json-schema.org/draft-06/schema#',
      $ref: '#/definitions/Report',
      definitions: {
        Report: {
          type: 'object',
          additionalProperties: false,
          properties: { rows: { type: 'array', items: { $ref: '#/definitions/Row' } } },
          required: ['rows'],
          title: 'Report',
        },
        Row: {
          type: 'object',
          properties: {
            at: { type: 'string', format: 'date-time' },
            page: { type: 'string', format: 'uri', 'qt-uri-protocols': ['https'] },
          },
        },
      },
    },
    { rows: [{ at: '2026-11-23T11:00:00Z' }] },
    { rows: [{ at: 'today' }] },
  ],
  [
    'typescript-json-schema',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { row: { $ref: '#/definitions/Row', description: 'The first row.' } },
      required: ['row'],
      definitions: { Row: { type: 'object', required: ['id'], if: true, then: true } },
    },
    { row: { id: 1 } },
    { row: {} },
  ],
  [
    'genson',
    {
      $schema: 'http://json-schema.org/schema#',
      type: 'array',
      contains: { type: 'object' },
      minContains: 1,
      items: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    },
    [{ id: 1 }],
    [{ id: 'a' }],
  ],
  [
    'a component of OpenAPI 3.1',
    {
      type: 'object',
      description: 'A pet',
      required: ['id'],
      properties: {
        id: { type: 'integer', format: 'int64', readOnly: true },
        name: { type: ['string', 'null'] },
        owner: { allOf: [{ type: 'object' }], description: 'The first owner' },
      },
      'x-internal': true,
      examples: [{ id: 1 }],
    },
    { id: 1, name: null },
    { name: 'a' },
  ],
  [
    'a hand-written table, with a rule for two columns',
    {
      type: 'array',
      uniqueItems: true,
      items: {
        required: ['name', 'price'],
        properties: { name: { minLength: 1 }, price: { type: ['number', 'null'], minimum: 0 } },
        if: { properties: { price: { const: null } } },
        then: { required: ['why'] },
      },
    },
    [
      { name: 'a', price: 1 },
      { name: 'b', price: null, why: 'sold out' },
    ],
    [{ name: 'b', price: null }],
  ],
  [
    'a tree with an address of its own',
    { $id: 'https://example.com/tree', type: 'object', properties: { in: { $ref: '#' } } },
    { in: {} },
    { in: 1 },
  ],
]

it.each(ordinary)('an ordinary schema is accepted: %s', (_, schema, valid, invalid) => {
  expect(resultProblems(schema, JSON.stringify(valid))).toEqual([])
  expect(resultProblems(schema, JSON.stringify(invalid))).toHaveLength(1)
})

it.each([
  [
    'a component of OpenAPI 3.0',
    {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'integer', format: 'int64', example: 1 },
        name: { type: 'string', nullable: true },
        owner: { $ref: '#/components/schemas/Owner' },
      },
      discriminator: { propertyName: 'kind' },
    },
    [
      '"/properties/id" the keyword "example" is not supported here: write examples',
      '"/properties/name" the keyword "nullable" is not supported here: write "type": ["string", "null"]',
      '"/properties/owner" there is no schema at "#/components/schemas/Owner"',
    ],
  ],
])('a generated schema is refused with what to write instead: %s', (_, schema, expected) => {
  expect(schemaProblems(schema)).toEqual(expected.map((text) => expect.stringContaining(text)))
})

const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#' }

describe('a schema', () => {
  it('is described with each wrong value in its place, and each refused keyword by its name', () => {
    const schema = {
      minItms: 1,
      properties: { a: { type: 'aray' }, 'b/c': { pattern: 'a\\-b\\-c' }, d: { nullable: true } },
      $defs: { q: { maximum: '3' } },
      items: [true],
    }

    expect(schemaProblems(schema)).toEqual([
      '"/$defs/q/maximum" expected a number, found "3"',
      expect.stringMatching(/^"\/properties\/a\/type" expected one of \["array",.*, found "aray"$/),
      '"" unknown keyword "minItms": correct or remove it; a member of the result belongs below properties; a keyword of your own begins with x-',
      '"/items" a list of schemas in items is not supported: write prefixItems, as draft 2020-12 does',
      '"/properties/b~1c/pattern" Invalid regular expression: /a\\-b\\-c/u: Invalid escape; patterns are those of ECMA-262',
      '"/properties/d" the keyword "nullable" is not supported here: write "type": ["string", "null"]',
    ])
  })

  it.each([
    ...['#/$defs', '#/properties', '#/required', '#/$defs/row/type', '#/x-row', '#row', '#/'],
    ...['#/$defs/100%', 'https://example.com/x', 'https://example.com/a#/$defs/row'],
    ...['/$defs/row', ''],
  ])('is refused if a reference leads to no schema: %s', ($ref) => {
    const $defs = { row: { type: 'object' } }
    const more = { $id: 'https://example.com/a', properties: { a: true }, 'x-row': {} }
    const expected =
      'expected a $ref to a schema within this one, such as #/$defs/row (nothing is fetched)'

    expect(schemaProblems({ $defs, ...more, required: ['a'], items: { $ref } })).toEqual([
      $ref.startsWith('#')
        ? `"/items" there is no schema at "${$ref}"`
        : `"/items" ${expected}, found "${$ref}"`,
    ])
  })

  it.each([
    [
      { $schema: 'http://json-schema.org/draft-04/schema#' },
      'expected "https://json-schema.org/draft/2020-12/schema", or draft 6 or 7, in $schema',
    ],
    [
      { ...draft7, properties: { a: { $ref: '#', minLength: 1 } } },
      '"/properties/a" the draft in $schema ignores "minLength" beside $ref: leave $schema out',
    ],
    [
      { $schema: 'http://json-schema.org/draft-06/schema#', if: true, then: { minLength: 1 } },
      '"" the draft in $schema ignores "if": leave $schema out',
    ],
    [
      { ...draft7, contains: {}, minContains: 2 },
      '"" the draft in $schema ignores "minContains": leave $schema out, or leave "minContains" out',
    ],
    [{ ...draft7, items: [true] }, '"/items" a list of schemas in items is not supported: '],
    [[1], '"" expected an object or a boolean, found [1]'],
    [{ type: 'aray' }, '"/type" expected one of ["array","boolean","integer","null","number",'],
    [{ type: [] }, '"/type" expected one of ["array",'],
    [{ type: ['null', 'null'] }, '"/type" expected one of ["array",'],
    [{ allOf: [] }, '"/allOf" expected at least 1 item, found 0'],
    [{ properties: [] }, '"/properties" expected an object, found []'],
    [{ enum: 1 }, '"/enum" expected an array, found 1'],
    [{ required: ['a', 'a'] }, '"/required" expected no two equal items'],
    // Within these keywords, ajv does not notice that a member with an empty name is missing.
    [{ not: { required: [''] } }, 'an empty name in required cannot be checked'],
    [{ if: { dependentRequired: { a: [''] } } }, 'an empty name in dependentRequired cannot'],
    [{ dependentRequired: { a: 'b' } }, '"/dependentRequired/a" expected an array, found "b"'],
    [{ maximum: '3' }, '"/maximum" expected a number, found "3"'],
    [{ multipleOf: 0 }, '"/multipleOf" expected more than 0, found 0'],
    [{ minItems: -1 }, '"/minItems" expected at least 0, found -1'],
    [{ uniqueItems: 1 }, '"/uniqueItems" expected a boolean, found 1'],
    [{ pattern: '[\\-a]+\\@' }, 'Invalid escape; patterns are those of ECMA-262'],
    [{ patternProperties: { '[': true } }, 'Invalid regular expression: /[/u: Unterminated'],
    [JSON.parse('{"properties":{"__proto__":true}}'), 'the name "__proto__" cannot be checked'],
    [{ items: { $ref: '#/items' } }, 'refers to itself without end'],
    [{ allOf: [{ $ref: '#' }] }, 'refers to itself without end'],
    [{ anyOf: [{ type: 'object' }, { not: { $ref: '#' } }] }, 'refers to itself without end'],
  ])('%j is refused', (schema, expected) => {
    expect(schemaProblems(schema)).toEqual([expect.stringContaining(expected)])
  })

  it('finds a place with escapes, and reads no data as a keyword', () => {
    const properties = { 'a/b %': { const: { $id: 'x', $ref: 'y' } }, c: { $ref: '' } }
    properties.c.$ref = '#/properties/a~1b%20%25'

    expect(resultProblems({ properties }, '{"c":{"$ref":"y","$id":"x"}}')).toEqual([])
  })

  it('of a megabyte, with thousands of properties, can check results', () => {
    const names = Array.from({ length: 12_000 }, (_, index) => `column number ${index}`)
    const part = { type: ['number', 'null'], title: 'one of many columns' }
    const schema = { properties: Object.fromEntries(names.map((name) => [name, part])) }

    expect(JSON.stringify(schema).length).toBeGreaterThan(900_000)
    expect(resultProblems(schema, '{"column number 11999": "1"}')).toHaveLength(1)
  })
})

it('an unknown format is an annotation, and is named', () => {
  const compiled = compileSchema({ properties: { a: { format: 'multi-host-uri' } } })

  expect(compiled).toMatchObject({ unknownFormats: ['multi-host-uri'] })
  expect('check' in compiled && compiled.check({ a: 'x' })).toBeUndefined()
})

it('the problems of a schema are one more than an annotation shows, which says that there are more', () => {
  const typos = Array.from({ length: 30 }, (_, at) => [`typo${at}`, 1])

  expect(schemaProblems(Object.fromEntries(typos))).toHaveLength(21)
})

describe('a result', () => {
  it('has the first 20 of its problems described, and all counted', () => {
    const compiled = compileSchema({ items: { type: 'string' } })
    const found = 'check' in compiled ? compiled.check(Array(1_000).fill(1)) : undefined

    expect([found?.problems.length, found?.count]).toEqual([20, 1_000])
  })
})
