/**
 * A valid JSON text on one line, its numbers and strings as they were written. A line break and the
 * indentation after it stand between tokens: a string has none but as an escape. A byte order mark
 * is no part of the JSON.
 */
export function oneLineJson(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/[\r\n][ \t\r\n]*/g, '')
    .trim()
}

/** Whether it is JSON, and can be read without too deep a stack. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
