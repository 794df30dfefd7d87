/** Checks keywords that ajv checks inexactly or slowly. Follows the JSON Schema draft. */
import type { FuncKeywordDefinition } from 'ajv'

export const exactKeywords: readonly FuncKeywordDefinition[] = [
  { keyword: 'const', compile: (expected: unknown) => isOneOf([expected]) },
  { keyword: 'enum', compile: isOneOf },
  {
    keyword: 'uniqueItems',
    type: 'array',
    compile: (isUnique: boolean) => (items: unknown[]) => !isUnique || areUnique(items),
  },
  {
    keyword: 'multipleOf',
    type: 'number',
    compile: (divisor: number) => (value: number) => isMultiple(value, divisor),
  },
]

function isOneOf(expected: readonly unknown[]): (value: unknown) => boolean {
  const texts = new Set(expected.map(canonicalText))
  return (value) => texts.has(canonicalText(value))
}

function areUnique(items: readonly unknown[]): boolean {
  const texts = new Set<string>()
  return items.every((item) => texts.size < texts.add(canonicalText(item)).size)
}

/** The relative error that a quotient may have. For example, 19.99 / 0.01 is not exactly 1999. */
const tolerance = 4 * Number.EPSILON

function isMultiple(value: number, divisor: number): boolean {
  const isExact = value % divisor === 0
  if (isExact || Number.isInteger(divisor)) return isExact
  const quotient = value / divisor
  // False for Infinity, which JSON.parse reads for a number such as 1e400.
  return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * tolerance
}

/** Returns a text that is the same for all values that JSON Schema treats as equal. */
function canonicalText(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`,
  )
  return `{${members.sort().join()}}`
}
