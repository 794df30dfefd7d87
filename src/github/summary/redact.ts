// Our own words, which choose what is rendered: a secret that equals one must not alter it.
const ownWords = new Set(['conclusion', 'kind'])

/** The same plain value with every text in it redacted. */
export function redactTexts<Value>(value: Value, redact: (text: string) => string): Value {
  return redactPart(value, redact) as Value
}

function redactPart(part: unknown, redact: (text: string) => string): unknown {
  if (typeof part === 'string') return redact(part)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, inner]) => [
      key,
      ownWords.has(key) ? inner : redactPart(inner, redact),
    ]),
  )
}
