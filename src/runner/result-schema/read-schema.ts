/**
 * Finds what this action refuses in a schema, and copies the keywords that ajv needs. Other members
 * are left out, because ajv would find an `$id` in an example or a constant.
 */
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { messageOf } from '../../errors.ts'

interface ReadSchema {
  schema: unknown
  /** The reasons why the schema is refused. */
  refusals: readonly string[]
  /** The names in `format` that are not checked. */
  unknownFormats: readonly string[]
}

export const draft = 'https://json-schema.org/draft/2020-12/schema'
const anotherDraft = `expected "${draft}" in $schema; leave it out if nothing depends on an older draft, else convert the schema (items with a list is prefixItems now, definitions are $defs)`

/** The value of a keyword: one schema, several schemas, or no schema. A `note` checks nothing. */
type Kind = 'schema' | 'list' | 'map' | 'value' | 'note'

const kinds = new Map<string, Kind>([
  ...named('schema', 'not if then else items contains additionalProperties propertyNames'),
  ...named('list', 'allOf anyOf oneOf prefixItems'),
  ...named('map', 'properties patternProperties dependentSchemas $defs definitions'),
  ...named('value', 'const enum type required dependentRequired pattern format $ref multipleOf'),
  ...named('value', 'minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength'),
  ...named('value', 'minItems maxItems uniqueItems minContains maxContains'),
  ...named('value', 'minProperties maxProperties'),
  ...named('note', '$schema $comment title description default examples deprecated readOnly'),
  ...named('note', 'writeOnly contentEncoding contentMediaType contentSchema discriminator'),
])

function named<Value extends string>(value: Value, names: string): [string, Value][] {
  return names.split(' ').map((name) => [name, value])
}

const plainReference = 'write a $ref to its place, such as #/$defs/row'
/** What to write in place of a keyword that ajv does not check as the draft says. */
const instead = new Map<string, string>([
  ...named(plainReference, '$anchor $dynamicAnchor $dynamicRef $recursiveAnchor'),
  ['$recursiveRef', 'write "$ref": "#"'],
  ['$vocabulary', 'leave it out'],
  ['$id', 'leave it out below the root, and write references as #/$defs/row'],
  ...named('write items beside prefixItems', 'unevaluatedItems additionalItems'),
  [
    'unevaluatedProperties',
    'list the properties in each part, beside "additionalProperties": false',
  ],
  ['dependencies', 'write dependentRequired or dependentSchemas'],
  ['nullable', 'write "type": ["string", "null"]'],
  ['example', 'write examples, with a list'],
])

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function readSchema(given: unknown): ReadSchema {
  const refusals = new Set<string>()
  const unknownFormats = new Set<string>()
  /** The JSON Pointers of all schemas within the schema. */
  const places = new Set<string>()
  const references = new Set<string>()

  const read = (schema: unknown, place: string): unknown => {
    places.add(place)
    if (!isObject(schema)) return schema
    const kept = Object.entries(schema).flatMap(([name, value]) => {
      const isNote = name.startsWith('x-') || (name === '$id' && place === '')
      const kind = isNote ? 'note' : kinds.get(name)
      if (kind === undefined) refusals.add(describeRefusal(name))
      else if (kind === 'value') examine(name, value)
      if (kind === undefined || kind === 'note') return []
      if (name === 'patternProperties' && isObject(value)) {
        Object.keys(value).forEach(examinePattern)
      }
      const readAt = (member: string, part: unknown) => read(part, `${place}/${name}/${member}`)
      if (kind === 'schema') return [[name, read(value, `${place}/${name}`)]]
      if (kind === 'list' && Array.isArray(value)) {
        return [[name, value.map((part, index) => readAt(String(index), part))]]
      }
      return [[name, kind === 'map' && isObject(value) ? mapMembers(value, readAt) : value]]
    })
    return Object.fromEntries(kept)
  }

  const examine = (name: string, value: unknown): void => {
    if (name === '$ref') references.add(String(value))
    if (name === 'pattern') examinePattern(String(value))
    if (name === 'format' && !Object.hasOwn(fullFormats, String(value)))
      unknownFormats.add(String(value))
    const lists = name === 'dependentRequired' && isObject(value) ? Object.values(value) : [value]
    const isEmptyRequired = /^(required|dependentRequired)$/.test(name) && lists.flat().includes('')
    if (isEmptyRequired) refusals.add(`an empty name in ${name} cannot be checked: leave it out`)
  }

  const examinePattern = (pattern: string): void => {
    try {
      new RegExp(pattern, 'u')
    } catch (error) {
      refusals.add(`${messageOf(error)} (with the flag u, write @ and -, not \\@ and \\-)`)
    }
  }

  const schema = read(given, '')
  const draftOfSchema = isObject(given) ? (given['$schema'] ?? draft) : draft
  if (draftOfSchema !== draft && draftOfSchema !== `${draft}#`) refusals.add(anotherDraft)
  // ajv ignores a member with the name `__proto__` and reports no error.
  if (JSON.stringify(given).includes('"__proto__":')) {
    refusals.add('the name "__proto__" cannot be checked: leave it out')
  }
  for (const reference of references) {
    if (!places.has(placeOf(reference))) refusals.add(`${noTarget}, found "${reference}"`)
  }
  return { schema, refusals: [...refusals], unknownFormats: [...unknownFormats] }
}

function mapMembers(
  members: Readonly<Record<string, unknown>>,
  change: (escapedName: string, value: unknown) => unknown,
): object {
  const changed = Object.entries(members).map(([name, value]) => [
    name,
    change(name.replaceAll('~', '~0').replaceAll('/', '~1'), value),
  ])
  return Object.fromEntries(changed) as object
}

function describeRefusal(name: string): string {
  const shown = JSON.stringify(name.slice(0, 100))
  const advice = instead.get(name)
  return advice === undefined
    ? `unknown keyword ${shown} (one of your own begins with x-)`
    : `the keyword ${shown} is not supported here: ${advice}`
}

const noTarget =
  'expected a $ref to a schema within this one, such as #/$defs/row (nothing is fetched)'

/** Returns the JSON Pointer of a reference such as `#/$defs/row`, or no pointer for other texts. */
function placeOf(reference: string): string {
  try {
    return /^#(\/|$)/.test(reference) ? decodeURIComponent(reference.slice(1)) : 'none'
  } catch {
    return 'none'
  }
}
