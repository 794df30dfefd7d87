/** One problem of a value, with texts that are bounded. */
import type { CutText, SchemaProblem } from '../../execution/result-problems.ts'

/** Longer than what is shown of a text, so that a secret in the shown part is whole. */
const maxTextLength = 4_096

/** `namedPlace`: see {@link SchemaProblem}; the whole place by default. */
export function problemAt(
  place: string,
  expected: string,
  found?: unknown,
  namedPlace = place,
): SchemaProblem {
  const cut: CutText[] = []
  const bounded = (name: CutText, text: string) => {
    if (text.length > maxTextLength) cut.push(name)
    return text.slice(0, maxTextLength)
  }
  const text = found === undefined ? undefined : textOf(found)
  return {
    place: bounded('place', place),
    namedPlace: bounded('namedPlace', namedPlace),
    expected: bounded('expected', expected),
    found: text === undefined ? undefined : bounded('found', text),
    cut,
  }
}

/** The JSON of a value; undefined if the value is nested too deeply to be written. */
function textOf(value: unknown): string | undefined {
  try {
    // JSON has no word for Infinity, which is what 1e400 is read as.
    return typeof value === 'number' ? String(value) : JSON.stringify(value)
  } catch {
    return undefined
  }
}
