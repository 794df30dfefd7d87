/** Finds what this action refuses in a schema, because ajv does not check it as the draft says. */
import { unescape } from 'node:querystring'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { messageOf } from '../../errors.ts'

interface ReadSchema {
  /** The reasons why the schema is refused, each with the first place as a JSON Pointer. */
  refusals: readonly (readonly [reason: string, place: string])[]
  /** The names in `format` that are not checked. */
  unknownFormats: readonly string[]
}

export const draft = 'https://json-schema.org/draft/2020-12/schema'
const anotherDraft = `expected "${draft}", or draft 6 or 7, in $schema; leave it out if nothing depends on an older draft, else convert the schema (items with a list is prefixItems now, definitions are $defs)`

/** The `$schema` of drafts 6 and 7, and the one that means any draft. Many generators write them. */
const olderDraft = /^https?:\/\/json-schema\.org\/(?:draft-0[67]\/)?schema#?$/
/** Keywords that mean nothing to a validator. quicktype writes those with `qt-`. */
const ownKeyword = /^(?:x|qt)-/
/** Keywords that draft 7 does not know. Draft 6 does not know `if` either. */
const newerKeyword = /^(?:prefixItems|minContains|maxContains|dependentRequired|dependentSchemas)$/
const noTarget =
  'expected a $ref to a schema within this one, such as #/$defs/row (nothing is fetched)'

/** What the value of a keyword contains, or that the keyword checks nothing. */
type Kind = 'one schema' | 'several schemas' | 'no schema' | 'unchecked'

const kinds = new Map<string, Kind>([
  ...named('one schema', 'not if then else items contains additionalProperties propertyNames'),
  ...named('several schemas', 'allOf anyOf oneOf prefixItems properties patternProperties'),
  ...named('several schemas', 'dependentSchemas $defs definitions'),
  ...named('no schema', 'const enum type required dependentRequired pattern format $ref'),
  ...named('no schema', 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...named('no schema', 'minLength maxLength minItems maxItems uniqueItems minContains'),
  ...named('no schema', 'maxContains minProperties maxProperties discriminator'),
  ...named('unchecked', '$schema $comment title description default examples deprecated'),
  ...named('unchecked', 'readOnly writeOnly contentEncoding contentMediaType contentSchema'),
])

function named<Value extends string>(value: Value, names: string): [string, Value][] {
  return names.split(' ').map((name) => [name, value])
}

/** What to write in place of a keyword that ajv does not check as the draft says. */
const instead = new Map<string, string>([
  ...named('write a $ref such as #/$defs/row', '$anchor $dynamicAnchor $dynamicRef'),
  ['$id', 'leave it out below the root, and write references as #/$defs/row'],
  ...named('write items beside prefixItems', 'unevaluatedItems additionalItems'),
  ['unevaluatedProperties', 'write additionalProperties beside the properties of each part'],
  ['dependencies', 'write dependentRequired or dependentSchemas'],
  ['nullable', 'write "type": ["string", "null"]'],
  ['example', 'write examples, with a list'],
])

export function readSchema(schema: unknown): ReadSchema {
  const refusals = new Map<string, string>()
  const refuse = (reason: string, place: string) => {
    if (!refusals.has(reason)) refusals.set(reason, place.slice(1))
  }
  for (const problem of findRootProblems(schema)) refuse(problem, '#')
  const schemaDraft = draftOf(schema)
  const unknownFormats = new Set<string>()
  const references = new Map<string, string>()
  const places = new Set<string>()
  for (const [place, part] of schemasIn(schema, '#')) {
    places.add(place)
    for (const [name, value] of Object.entries(part)) {
      const isOwn = ownKeyword.test(name) || (name === '$id' && place === '#')
      if (!kinds.has(name) && !isOwn) refuse(describeRefusal(name), place)
      if (name === '$ref') references.set(String(value), place)
      if (name === 'format' && !Object.hasOwn(fullFormats, String(value))) {
        unknownFormats.add(String(value))
      }
      for (const problem of findUncheckable(name, value)) refuse(problem, `${place}/${name}`)
    }
    for (const problem of findIgnored(part, schemaDraft)) refuse(problem, place)
  }
  for (const [reference, place] of references) {
    if (places.has(unescape(reference))) continue
    const isInside = reference.startsWith('#')
    const why = isInside ? 'there is no schema at' : `${noTarget}, found`
    refuse(`${why} "${reference}"`, place)
  }
  return { refusals: [...refusals], unknownFormats: [...unknownFormats] }
}

type Part = Readonly<Record<string, unknown>>

/** Yields each schema within a schema, and its address (`#/$defs/row`). A boolean is an empty schema. */
function* schemasIn(schema: unknown, place: string): Generator<[place: string, Part]> {
  if (typeof schema === 'boolean') yield [place, {}]
  if (!isObject(schema)) return
  yield [place, schema]
  for (const [name, value] of Object.entries(schema)) {
    const kind = kinds.get(name)
    if (kind === 'one schema') yield* schemasIn(value, `${place}/${name}`)
    if (kind !== 'several schemas' || typeof value !== 'object' || value === null) continue
    for (const [member, part] of Object.entries(value)) {
      const escaped = member.replaceAll('~', '~0').replaceAll('/', '~1')
      yield* schemasIn(part, `${place}/${name}/${escaped}`)
    }
  }
}

/** Returns a function that finds the branch of each schema within several schemas, or within one. */
export function branchesWithin(whole: unknown) {
  const byPlace = new Map(schemasIn(whole, '#'))
  const known = new Map<unknown, Map<unknown, number | undefined>>()
  const add = (schema: unknown, found: Set<unknown>) => {
    for (const [, part] of schemasIn(schema, '#')) {
      found.add(part)
      const target = byPlace.get(unescape(String(part['$ref'])))
      if (target && !found.has(target)) add(target, found)
    }
    return found
  }
  const find = (branches: readonly unknown[]) => {
    const found = new Map<unknown, number | undefined>()
    for (const [index, branch] of branches.entries()) {
      for (const part of add(branch, new Set()))
        found.set(part, found.has(part) ? undefined : index)
    }
    // A branch may contain the others, for example in a tree.
    for (const [index, branch] of branches.entries()) found.set(branch, index)
    return found
  }
  return (schema: unknown) => {
    const found = known.get(schema) ?? find([schema].flat())
    known.set(schema, found)
    return found
  }
}

function isObject(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Finds values that ajv would not check, or would report without advice or other problems. */
function* findUncheckable(keyword: string, value: unknown): Generator<string> {
  const patterns = keyword === 'patternProperties' ? Object.keys(value ?? {}) : []
  if (keyword === 'pattern') patterns.push(String(value))
  for (const pattern of patterns) {
    try {
      new RegExp(pattern, 'u')
    } catch (error) {
      yield `${messageOf(error)}; patterns are those of ECMA-262`
    }
  }
  if (keyword === 'items' && Array.isArray(value)) {
    yield 'a list of schemas in items is not supported: write prefixItems, as draft 2020-12 does'
  }
  // Within `not` and `if`, ajv does not notice that a member with an empty name is missing.
  const isRequirement = keyword === 'required' || keyword === 'dependentRequired'
  const names: unknown[] = isRequirement ? Object.values(value ?? {}).flat() : []
  if (names.includes('')) {
    yield `an empty name in ${keyword} cannot be checked: leave it out`
  }
}

/** Finds keywords that draft 2020-12 checks and the older draft ignores: newer ones, or beside a `$ref`. */
function* findIgnored(part: Part, schemaDraft: string): Generator<string> {
  if (!olderDraft.test(schemaDraft)) return
  const isDraft6 = schemaDraft.includes('draft-06')
  for (const name of Object.keys(part)) {
    const isAllowed = /^(?:\$ref|\$id|\$defs|definitions)$/.test(name) || ownKeyword.test(name)
    const isIgnored = '$ref' in part && !isAllowed && kinds.get(name) !== 'unchecked'
    const isNewer = /draft-0[67]/.test(schemaDraft) && newerKeyword.test(name)
    if (!isIgnored && !isNewer && !(isDraft6 && name === 'if')) continue
    const where = isIgnored ? ' beside $ref' : ''
    yield `the draft in $schema ignores "${name}"${where}: leave $schema out, or leave "${name}" out`
  }
}

function draftOf(schema: unknown): string {
  const named = isObject(schema) ? schema['$schema'] : undefined
  return typeof named === 'string' ? named : draft
}

function* findRootProblems(given: unknown): Generator<string> {
  const schemaDraft = draftOf(given)
  const isCurrent = schemaDraft === draft || schemaDraft === `${draft}#`
  if (!isCurrent && !olderDraft.test(schemaDraft)) yield anotherDraft
  // ajv ignores a member with the name `__proto__` and reports no error.
  if (JSON.stringify(given).includes('"__proto__":')) {
    yield 'the name "__proto__" cannot be checked: leave it out'
  }
}

function describeRefusal(name: string): string {
  const shown = JSON.stringify(name.slice(0, 100))
  const advice = instead.get(name)
  if (advice !== undefined) return `the keyword ${shown} is not supported here: ${advice}`
  return `unknown keyword ${shown}: correct or remove it; a member of the result belongs below properties; a keyword of your own begins with x-`
}
