/**
 * The complete elements of a JSON list whose text was cut, as a list; undefined for any other text.
 * A result too large to be read whole still shows its first rows that way. One pass over the text:
 * a regular expression would go back at each quote when the cut lies inside of a string.
 */
export function closeCutList(text: string): string | undefined {
  if (!/^\s*\[/.test(text)) return undefined
  let depth = 0
  let end = -1
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    else if (character === ',' && depth === 1) end = at
  }
  return end === -1 ? undefined : `${text.slice(0, end)}]`
}

/** Where the closing quote is; the text's end where there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return text.length
}
