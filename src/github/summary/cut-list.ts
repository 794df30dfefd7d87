/**
 * The complete elements of a JSON list whose text was cut, as a list; undefined for any other text.
 * A result too large to be read whole still shows its first rows that way.
 */
export function closeCutList(text: string): string | undefined {
  if (!/^\s*\[/.test(text)) return undefined
  let depth = 0
  let end = -1
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|$)|[[\]{},]/gs)) {
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    else if (token === ',' && depth === 1) end = index
  }
  return end === -1 ? undefined : `${text.slice(0, end)}]`
}
