/** Lists the allowed keywords of a schema, checks their values, and advises on other keywords. */
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { findPatternProblem } from './pattern.ts'

/** The value of a keyword: one schema, several schemas, or no schema. A `note` checks nothing. */
type Kind = 'schema' | 'list' | 'map' | 'value' | 'note'

export interface Keyword {
  kind: Kind
  /** Returns a description of the expected value, or undefined if the value is valid. */
  findProblem: (value: unknown) => string | undefined
}

const draft = 'https://json-schema.org/draft/2020-12/schema'
const thisDraft = `"${draft}"; leave it out if nothing depends on an older draft, else convert the schema (items with a list is prefixItems now, definitions are $defs)`
const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']
const formats = Object.keys(fullFormats)
const wholeNumber = 'a whole number from 0'

const isString = (value: unknown) => typeof value === 'string'
const isBoolean = (value: unknown) => typeof value === 'boolean'
const isNumber = (value: unknown): value is number => Number.isFinite(value)
const isCount = (value: unknown) => isNumber(value) && Number.isInteger(value) && value >= 0
const isFullList = (value: unknown) => Array.isArray(value) && value.length > 0
const isType = (value: unknown) => types.some((type) => type === value)
const isFormat = (value: unknown) => formats.some((format) => format === value)
const areUnique = (values: unknown[]) => new Set(values).size === values.length
const areNames = (value: unknown) =>
  Array.isArray(value) && value.every(isString) && areUnique(value) && !value.includes('')
const areTypes = (values: unknown[]) =>
  values.length > 0 && values.every(isType) && areUnique(values)

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const note: Keyword = { kind: 'note', findProblem: () => undefined }

const keywords: ReadonlyMap<string, Keyword> = new Map([
  ...taken('schema', 'not if then else items contains additionalProperties propertyNames'),
  ...taken('list', 'allOf anyOf oneOf prefixItems', 'a list that is not empty', isFullList),
  ...taken('map', 'properties patternProperties dependentSchemas', 'an object', isObject),
  ...taken('map', '$defs definitions', 'an object', isObject),
  ...taken('value', 'const'),
  ...taken('value', 'enum', 'a list', Array.isArray),
  ...taken('value', 'type', `one of ${types.join(', ')}, or a list of these`, (value) =>
    areTypes([value].flat()),
  ),
  ...taken('value', 'minimum maximum exclusiveMinimum exclusiveMaximum', 'a number', isNumber),
  ...taken('value', 'multipleOf', 'a number above 0', (value) => isNumber(value) && value > 0),
  ...taken('value', 'minLength maxLength minItems maxItems', wholeNumber, isCount),
  ...taken('value', 'minContains maxContains minProperties maxProperties', wholeNumber, isCount),
  ...taken('value', 'uniqueItems', 'a boolean', isBoolean),
  ...taken('value', 'required', 'a list of different names, none empty', areNames),
  ...taken(
    'value',
    'dependentRequired',
    'lists of different names, none empty',
    (value) => isObject(value) && Object.values(value).every(areNames),
  ),
  ...taken('value', '$ref', 'a string', isString),
  ...taken('value', 'format', `no format, or one of ${formats.join(', ')}`, isFormat),
  ['pattern', { kind: 'value', findProblem: findPatternProblem }],
  ...taken('note', '$schema', thisDraft, (value) => value === draft || value === `${draft}#`),
  ...taken('note', '$comment title description default examples deprecated readOnly writeOnly'),
  ...taken('note', 'contentEncoding contentMediaType contentSchema'),
])

function taken(
  kind: Kind,
  names: string,
  expected = '',
  isRight: (value: unknown) => boolean = () => true,
): [string, Keyword][] {
  const findProblem = (value: unknown) => (isRight(value) ? undefined : `expected ${expected}`)
  return names.split(' ').map((name) => [name, { kind, findProblem }])
}

const plainReference = 'write a $ref to its place, such as #/$defs/row'
const advice: ReadonlyMap<string, string> = new Map([
  ['$anchor', plainReference],
  ['$dynamicAnchor', plainReference],
  ['$dynamicRef', plainReference],
  ['$recursiveAnchor', plainReference],
  ['$recursiveRef', 'write "$ref": "#"'],
  ['$vocabulary', 'leave it out'],
  ['$id', 'leave it out below the root, and write references as #/$defs/row'],
  ['unevaluatedItems', 'write items beside prefixItems'],
  [
    'unevaluatedProperties',
    'list the properties in each part, beside "additionalProperties": false',
  ],
  ['additionalItems', 'write items beside prefixItems'],
  ['dependencies', 'write dependentRequired or dependentSchemas'],
  ['nullable', 'write "type": ["string", "null"]'],
  ['example', 'write examples, with a list'],
  ['discriminator', 'leave it out, and give the property a const in each part of oneOf'],
])

/** Returns the definition of a keyword, or undefined if the keyword is not allowed. */
export function keywordOf(name: string, isRoot: boolean): Keyword | undefined {
  return name.startsWith('x-') || (isRoot && name === '$id') ? note : keywords.get(name)
}

export function describeRefusal(name: string): string {
  const shown = JSON.stringify(name.slice(0, 100))
  const instead = advice.get(name)
  return instead === undefined
    ? `unknown keyword ${shown} (one of your own begins with x-)`
    : `the keyword ${shown} is not supported here: ${instead}`
}
