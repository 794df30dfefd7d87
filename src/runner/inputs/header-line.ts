/** Header lines, taken apart in the same way for parsing and for masking. */

/** A header as given, and the words for where. Its content may be a secret and is never shown. */
export interface HeaderEntry {
  name: string
  value: string
  place: string
}

/** What a text gave: headers, and problems with what was none. */
export interface HeaderReading {
  entries: HeaderEntry[]
  problems: string[]
}

/** Whether a text has the JSON form of the headers: no header's name can start with a brace. */
export function isJsonForm(text: string): boolean {
  return text.trimStart().startsWith('{')
}

export function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/)
}

/** Splits at the first colon only; undefined when there is none. */
export function splitHeader(line: string): { name: string; value: string } | undefined {
  const colon = line.indexOf(':')
  if (colon === -1) return undefined
  return { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }
}

/** Reads the form with one `Name: value` a line; blank lines count, but mean nothing. */
export function readHeaderLines(text: string): HeaderReading {
  const reading: HeaderReading = { entries: [], problems: [] }
  for (const [index, line] of linesOf(text).entries()) {
    const place = `line ${index + 1}`
    const header = splitHeader(line)
    if (header) reading.entries.push({ ...header, place })
    else if (line.trim() !== '') {
      reading.problems.push(`${place}: expected "Name: value", found no colon`)
    }
  }
  return reading
}
