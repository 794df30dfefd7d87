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

function asPrinted(text: string): string {
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
