/** An unescaped command: `::name key=value,…::message` or `##[name key=value;…]message`. */
export interface Command {
  command: string
  properties: Record<string, string>
  message: string
}

type Escapes = readonly (readonly [escaped: string, plain: string])[]

// `%25` must be the last escape, so that `%250A` becomes the text `%0A` and not a line feed.
const inMessage: Escapes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%25', '%'],
]
const inProperty: Escapes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%3A', ':'],
  ['%2C', ','],
  ['%25', '%'],
]
const inBrackets: Escapes = [
  ['%3B', ';'],
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%5D', ']'],
  ['%25', '%'],
]

/**
 * Returns the command in a line, or undefined. `::name::` must be at the start of the line, after
 * optional white space. `##[name]` may be anywhere in the line. `isKnown` says which names exist.
 */
export function parseCommand(
  line: string,
  isKnown: (name: string) => boolean,
): Command | undefined {
  return parseColons(line, isKnown) ?? parseBrackets(line, isKnown)
}

function parseColons(line: string, isKnown: (name: string) => boolean): Command | undefined {
  const text = line.trimStart()
  if (!text.startsWith('::')) return undefined
  const end = text.indexOf('::', 2)
  if (end < 0) return undefined
  const { name, rest } = splitName(text.slice(2, end))
  if (!isKnown(name)) return undefined
  return {
    command: name,
    properties: parseProperties(rest.trim(), ',', inProperty),
    message: unescape(text.slice(end + 2), inMessage),
  }
}

function parseBrackets(line: string, isKnown: (name: string) => boolean): Command | undefined {
  const start = line.indexOf('##[')
  const end = start < 0 ? -1 : line.indexOf(']', start)
  if (end < 0) return undefined
  const { name, rest } = splitName(line.slice(start + 3, end))
  if (!isKnown(name)) return undefined
  return {
    command: name,
    properties: parseProperties(rest, ';', inBrackets),
    message: unescape(line.slice(end + 1), inBrackets),
  }
}

function splitName(text: string): { name: string; rest: string } {
  const space = text.indexOf(' ')
  return space < 0
    ? { name: text, rest: '' }
    : { name: text.slice(0, space), rest: text.slice(space + 1) }
}

function parseProperties(
  text: string,
  separator: string,
  escapes: Escapes,
): Record<string, string> {
  const properties: Record<string, string> = {}
  for (const part of text.split(separator)) {
    const equals = part.indexOf('=')
    // The runner ignores properties without a name or without a value.
    if (equals < 1 || equals === part.length - 1) continue
    properties[part.slice(0, equals)] = unescape(part.slice(equals + 1), escapes)
  }
  return properties
}

function unescape(text: string, escapes: Escapes): string {
  return escapes.reduce((rest, [escaped, plain]) => rest.replaceAll(escaped, plain), text)
}
