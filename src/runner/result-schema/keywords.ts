/** The keywords of JSON Schema that this product takes, and advice for those that it refuses. */

/**
 * How the value of a keyword is read: `schema`, `list` and `map` hold schemas, `value` is checked by
 * ajv as it stands, and `note` checks nothing.
 */
export type Kind = 'schema' | 'list' | 'map' | 'value' | 'note'

const namesByKind: Readonly<Record<Kind, readonly string[]>> = {
  schema: 'not if then else items contains additionalProperties propertyNames'.split(' '),
  list: 'allOf anyOf oneOf prefixItems'.split(' '),
  map: 'properties patternProperties dependentSchemas $defs definitions'.split(' '),
  value: [
    '$ref type const enum multipleOf format pattern required dependentRequired',
    'maximum minimum exclusiveMaximum exclusiveMinimum maxLength minLength',
    'maxItems minItems uniqueItems maxContains minContains maxProperties minProperties',
  ].flatMap((names) => names.split(' ')),
  note: [
    '$schema $comment title description default examples deprecated readOnly writeOnly',
    'contentEncoding contentMediaType contentSchema',
  ].flatMap((names) => names.split(' ')),
}

const kinds: ReadonlyMap<string, Kind> = new Map(
  (Object.entries(namesByKind) as [Kind, readonly string[]][]).flatMap(([kind, names]) =>
    names.map((name) => [name, kind] as const),
  ),
)

const plainReference = 'write a $ref to its place, such as #/$defs/row'
const inEachPart = 'list the properties in each part, beside "additionalProperties": false'

const advice: ReadonlyMap<string, string> = new Map([
  ['$anchor', plainReference],
  ['$dynamicAnchor', plainReference],
  ['$dynamicRef', plainReference],
  ['$recursiveAnchor', plainReference],
  ['$recursiveRef', 'write "$ref": "#"'],
  ['$vocabulary', 'leave it out'],
  ['$id', 'leave it out below the root, and write references as #/$defs/row'],
  ['unevaluatedItems', 'write items beside prefixItems'],
  ['unevaluatedProperties', inEachPart],
  ['additionalItems', 'write items beside prefixItems'],
  ['dependencies', 'write dependentRequired or dependentSchemas'],
  ['nullable', 'write "type": ["string", "null"]'],
  ['example', 'write examples, with a list'],
  ['discriminator', 'leave it out, and give the property a const in each part of oneOf'],
])

/** Returns undefined if the keyword is not taken at all. */
export function kindOf(keyword: string, isRoot: boolean): Kind | undefined {
  const isNote = keyword.startsWith('x-') || (isRoot && keyword === '$id')
  return isNote ? 'note' : kinds.get(keyword)
}

export function describeRefusal(keyword: string): string {
  const name = JSON.stringify(keyword.slice(0, 100))
  const instead = advice.get(keyword)
  return instead === undefined
    ? `unknown keyword ${name} (one of your own begins with x-)`
    : `the keyword ${name} is not supported here: ${instead}`
}
