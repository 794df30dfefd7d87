/** Texts as a browser or a terminal shows them: without markup and control characters. */
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

/** A printed text: without colours and characters of no width, white space drawn together. */
export function asPrinted(text: string): string {
  return text.replace(colours, '').replace(invisible, '').replace(/\s+/g, ' ')
}

/** A job summary: the text of its HTML. */
export function asPage(summary: string): string {
  const text = summary
    .replace(/<\/?(?:span|code|strong|a)\b[^<>]*>/g, '')
    .replace(/<[^<>]*>/g, '\n')
    .replace(/&[#a-z0-9]+;/g, (entity) => entities[entity] ?? entity)
  return asPrinted(text)
}

/** A JSON text: all that is in it, keys too, once it is parsed. */
export function asParsed(json: string): string {
  const seen: string[] = []
  JSON.parse(json, (key, value: unknown) => {
    seen.push(key)
    if (typeof value === 'string' || typeof value === 'number') seen.push(String(value))
  })
  return asPrinted(seen.join('\n'))
}
