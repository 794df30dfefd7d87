/** Describes what a text is if it is not the JSON that an input needs, with line and column. */
import { readParts } from '../../messages/json-parts.ts'

/**
 * Returns the offset of the first syntax error in a JSON text, or undefined. If the text ends too
 * early, returns the length of the text.
 */
export function findJsonFault(text: string): number | undefined {
  return readParts(text, () => true)
}

const kinds = new Map([
  ['{', 'an object'],
  ['[', 'an array'],
  ['"', 'a string'],
  ['n', 'null'],
  ['t', 'a boolean'],
  ['f', 'a boolean'],
])

/** Describes the type of the JSON value at an offset, for example "an array". */
export function kindAt(text: string, offset: number): string {
  return kinds.get(text.charAt(offset)) ?? 'a number'
}

/** Describes a syntax error. Shows at most one character, because the text may be secret. */
export function describeFault(text: string, offset: number): string {
  const where = describePlace(text, offset)
  const [character] = text.slice(offset, offset + 2)
  if (character === undefined) return `unexpected end of input ${where}`
  const what = /[\p{C}\p{Z}]/u.test(character)
    ? 'white space or control character'
    : JSON.stringify(character)
  const hint = hintAt(text, offset)
  return `a text with an unexpected ${what}${hint && ` (${hint})`} ${where}`
}

/**
 * Describes a text that its author certainly meant as something else than JSON, with the advice.
 * Returns undefined for other texts.
 */
function describeNoJson(text: string, { fileInput, isInline }: Wanted): string | undefined {
  const whole = text.trim()
  if (whole === 'Object' || whole === 'Array') {
    return `the word ${whole}, which an expression gives without toJSON; write \${{ toJSON(…) }} around it, for example \${{ toJSON(inputs) }}`
  }
  const isPath = isInline && looksLikePath.test(whole)
  return isPath ? `a path; give the path to the input ${fileInput}` : undefined
}

// One line without JSON, YAML or a URL, that has a separator of folders or ends like a file.
const looksLikePath =
  /^(?![{["'])(?!.*(?::\s|:\/\/|,)).*(?:[\\/].*|\.(?:json|jsonl|ndjson|csv|tsv|txt|ya?ml))$/i

/** Says what is not JSON at a syntax error, or returns ''. */
function hintAt(text: string, offset: number): string {
  const rest = text.slice(offset, offset + 10)
  if (/^['“”„‘’]/.test(rest)) return 'JSON has straight double quotes'
  // Python's json.dumps writes these words for numbers that JSON does not have.
  if (/^-?(?:NaN|Infinity)\b/.test(rest)) return 'JSON has no NaN and no Infinity'
  // Python prints these words for a dict.
  if (/^(?:True|False|None)\b/.test(rest)) return 'JSON has true, false and null'
  if (/^(?:\/[/*]|#)/.test(rest)) return 'JSON has no comments'
  if (text.slice(0, offset).trim() === '') {
    if (/^\s*[\w-]+:(?:\s|$)/.test(text)) return 'it looks like YAML'
    // Several lines with columns. A colon in the first line is more common in YAML.
    if (/^\s*[^\s{[][^:\r\n]*[,;\t][^:\r\n]*[\r\n]+./.test(text)) return 'it looks like CSV'
  }
  const isClosing = /^[}\]]/.test(rest)
  const isAfterComma = isClosing && text.slice(0, offset).trimEnd().endsWith(',')
  return isAfterComma ? 'JSON has no comma before it' : ''
}

interface Wanted {
  /** The first character of the value: `{` or `[`. */
  opening: '{' | '['
  example: string
  /** The input that takes the path of a file. */
  fileInput: string
  isInline: boolean
}

/** Describes a text that is not JSON of the wanted kind, with the advice. Undefined if it is. */
export function findOther(text: string, wanted: Wanted): string | undefined {
  const { opening, example, isInline } = wanted
  const fault = findJsonFault(text)
  if (fault === undefined) {
    const isWanted = text.trimStart().startsWith(opening)
    return isWanted ? undefined : describeKind(text, opening, example)
  }
  const advice = adviseOnFault(text, fault, example, isInline)
  return describeNoJson(text, wanted) ?? describeFault(text, fault) + advice
}

/**
 * Returns the advice for a text that is not JSON. `isInline` is true if the text may contain the
 * value of an expression. Such a value is surrounded by JSON, and is not written as in Python.
 */
export function adviseOnFault(
  text: string,
  offset: number,
  example: string,
  isInline: boolean,
): string {
  const mayBeExpression = isInline && /^\s*[{[]/.test(text) && hintAt(text, offset) === ''
  return mayBeExpression ? remedy : `; write JSON, for example ${example}`
}

/** The advice if a `${{ }}` expression inserted a value into JSON without `toJSON`. */
export const remedy =
  '; if a value comes from an expression, insert it with toJSON and without quotes: {"name": ${{ toJSON(inputs.name) }}}'

const isNull =
  'null, which toJSON gives for a missing value (on schedule, the inputs of workflow_dispatch are missing)'

/** Describes valid JSON of another kind than expected. `opening` is the expected first character. */
function describeKind(text: string, opening: string, example: string): string {
  const start = text.search(/\S/)
  const value: unknown = text[start] === '"' ? JSON.parse(text) : undefined
  if (typeof value === 'string' && value.trimStart().startsWith(opening)) {
    return 'a JSON text inside a JSON string; remove one toJSON (or json.dumps)'
  }
  const article = opening === '{' ? 'an object' : 'an array'
  const write = `write ${article}, for example ${example}`
  return text[start] === 'n' ? `${isNull}; ${write}` : `${kindAt(text, start)}; ${write}`
}

/**
 * Returns the line and column of an offset. Both count from 1, the column in UTF-16 units. CRLF, CR
 * and LF each end one line.
 */
export function describePlace(text: string, offset: number): string {
  let line = 1
  let start = 0
  for (const { 0: end, index } of text.slice(0, offset).matchAll(/\r\n|\r|\n/g)) {
    line += 1
    start = index + end.length
  }
  return `at line ${line}, column ${offset - start + 1}`
}
