/** Keywords that ajv checks inexactly or slowly, written anew as the draft describes them. */
import type { FuncKeywordDefinition } from 'ajv'

export const exactKeywords: readonly FuncKeywordDefinition[] = [
  {
    keyword: 'const',
    compile: (expected: unknown) => {
      const text = canonicalText(expected)
      return (value: unknown) => canonicalText(value) === text
    },
  },
  {
    keyword: 'enum',
    schemaType: 'array',
    compile: (expected: unknown[]) => {
      const texts = new Set(expected.map(canonicalText))
      return (value: unknown) => texts.has(canonicalText(value))
    },
  },
  {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile: (isUnique: boolean) => (items: unknown[]) => !isUnique || areUnique(items),
  },
  {
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    compile: (divisor: number) => (value: number) => isMultiple(value, divisor),
  },
]

function areUnique(items: readonly unknown[]): boolean {
  const texts = new Set<string>()
  return items.every((item) => texts.size < texts.add(canonicalText(item)).size)
}

/** The quotient of two doubles may be off by a few units in its last place: 19.99 / 0.01 is not 1999. */
const tolerance = 4 * Number.EPSILON

function isMultiple(value: number, divisor: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(divisor)) return value % divisor === 0
  const quotient = value / divisor
  return (
    Number.isFinite(quotient) &&
    Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * tolerance
  )
}

/** Two values have the same text if JSON Schema calls them equal. */
function canonicalText(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`,
  )
  return `{${members.sort().join()}}`
}
