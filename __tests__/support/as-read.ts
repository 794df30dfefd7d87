/** Converts texts to what people read: without markup and control characters. */
const escape = String.fromCharCode(0x1b)
const colours = new RegExp(`${escape}\\[[0-9;]*[A-Za-z]`, 'g')
const invisible = /[\p{Default_Ignorable_Code_Point}\ufffd]|(?!\s)\p{Cc}/gu
const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#32;': ' ',
}

/** Returns a printed text without colours and invisible characters, and with single spaces. */
export function asPrinted(text: string): string {
  return text.replace(colours, '').replace(invisible, '').replace(/\s+/g, ' ')
}

/** Returns the text of a job summary's HTML. */
export function asPage(summary: string): string {
  const text = summary
    .replace(/<\/?(?:span|code|strong|a)\b[^<>]*>/g, '')
    .replace(/<[^<>]*>/g, '\n')
    .replace(/&[#a-z0-9]+;/g, (entity) => entities[entity] ?? entity)
  return asPrinted(text)
}

/** Returns all keys and values of a JSON text. */
export function asParsed(json: string): string {
  const seen: string[] = []
  JSON.parse(json, (key, value: unknown) => {
    seen.push(key)
    if (typeof value === 'string' || typeof value === 'number') seen.push(String(value))
  })
  return asPrinted(seen.join('\n'))
}
