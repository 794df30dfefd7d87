/** Reads the lines of a log: what each line says, without what log formats add to it. */

export interface LogLine {
  /** The words and their indentation, without colours, timestamp, level, prefix and drawn box. */
  text: string
  level: number | undefined
  /** True if the line has a timestamp, or is a JSON object with a level. */
  isStamped: boolean
  /** The number of a part of an exception group. The part 0 is the group itself. */
  section?: number | undefined
}

export const warning = 3
export const error = 4
export const critical = 5
const ranks: Readonly<Record<string, number>> = {
  ...{ trace: 1, debug: 1, info: 2, notice: 2, success: 2, warn: warning, warning },
  ...{ err: error, error, crit: critical, critical, fatal: critical },
}
const names = Object.keys(ranks).join('|')

// Only the beginning of a line is read. JSON and unfolded tracebacks are read as a whole.
const maxLineLength = 4_000
const maxLevelAt = 100
const maxPrefixLength = 200
// Each line that looks like JSON and is not JSON costs an exception.
const maxBrokenJson = 1_000
const maxJsonDepth = 4

const escape = String.fromCharCode(0x1b)
const colour = new RegExp(`${escape}\\[[0-?]*[ -/]*[@-~]`, 'g')
const headingWords = 'Traceback (most recent call last)'
// A collector may write `\n` or rsyslog's `#012` in place of line breaks.
const folded = /Traceback \(most recent call last\):?(?:\\r)?(?:\\n|#012)/

/** Returns the lines of a log. JSON objects and folded tracebacks become several lines. */
export function readLines(log: string): LogLine[] {
  const lines: LogLine[] = []
  const format: Format = { prefix: [], level: undefined, section: undefined }
  let broken = 0
  for (const raw of log.replace(/^\ufeff/, '').split('\n')) {
    const seen = lastState(raw)
    const json = broken < maxBrokenJson ? readJson(seen) : undefined
    if (json === 'broken') broken++
    if (json !== undefined && json !== 'broken') {
      lines.push(readLine(json.text, format, json.level), ...json.more)
    } else for (const line of unfold(seen)) lines.push(readLine(line, format))
  }
  return lines
}

export function isHeading({ text }: LogLine): boolean {
  return text.includes(headingWords)
}

export function indentation({ text }: LogLine): number {
  return text.length - text.trimStart().length
}

export function isBlank({ text }: Pick<LogLine, 'text'>): boolean {
  return text.trim() === ''
}

/** Returns a line without colours. A carriage return inside a line overwrites what is before it. */
function lastState(raw: string): string {
  const plain = raw.includes(escape) ? raw.replace(colour, '') : raw
  if (!plain.includes('\r')) return plain
  return plain.split('\r').findLast((state) => state.trim() !== '') ?? ''
}

function unfold(line: string): string[] {
  const at = line.includes(headingWords) ? line.search(folded) : -1
  if (at === -1) return [line.slice(0, maxLineLength)]
  const quote = line[at - 1] ?? ''
  let end = /["']/.test(quote) ? line.indexOf(quote, at) : -1
  while (end !== -1 && line[end - 1] === '\\') end = line.indexOf(quote, end + 1)
  const [heading = '', ...more] = line
    .slice(0, end === -1 ? line.length : end)
    .split(/(?:\\r)?\\n|#012/)
  return [heading, ...more.map((text) => text.replace(/\\(["'])/g, '$1'))]
}

/** What the lines of one traceback have in common. */
interface Format {
  /** What is in front of the heading, split at its digits. */
  prefix: readonly string[]
  /** The level in the prefix. */
  level: number | undefined
  section: number | undefined
}

const beforeHeading = /(?:\+ )?(?:Exception Group )?$|[╭┌┏╔][─━═ ]*$/

/** Reads one line, and remembers its format for the next lines. */
function readLine(line: string, format: Format, jsonLevel?: number): LogLine {
  const length = lengthOfPrefix(line, format.prefix)
  if (length === 0 && line !== '') format.prefix = []
  let text = line.slice(length)
  const at = format.section === undefined ? text.indexOf(headingWords) : -1
  const before = at === -1 ? '' : text.slice(0, at).replace(beforeHeading, '')
  if (before.trim() !== '' && before.length <= maxPrefixLength) {
    format.prefix = before.trimEnd().split(/(\d+)/)
    format.level = readWords(text).level
    text = text.slice(before.length)
  }
  text = undraw(takeOffMargin(text, format))
  const { section } = format
  if (text.trim() === '') return { text: '', level: undefined, isStamped: false, section }
  const words = readWords(text)
  const level = jsonLevel ?? words.level ?? (format.prefix.length > 0 ? format.level : undefined)
  return { ...words, level, isStamped: words.isStamped || jsonLevel !== undefined, section }
}

/** Returns the length of a prefix at the beginning of a line, with any digits for its digits, or 0. */
function lengthOfPrefix(line: string, prefix: readonly string[]): number {
  let at = 0
  if (prefix.length === 0) return 0
  for (const [index, part] of prefix.entries()) {
    const isNumber = index % 2 === 1
    const length = isNumber ? (/^\d+/.exec(line.slice(at, at + 20))?.[0].length ?? 0) : part.length
    if (isNumber ? length === 0 : !line.startsWith(part, at)) return 0
    at += length
  }
  return line[at] === ' ' && at > 0 ? at + 1 : at
}

/** Takes off the margin that CPython draws beside an exception group. */
function takeOffMargin(text: string, format: Format): string {
  if (/^\s*\+ Exception Group Traceback/.test(text)) {
    format.section = 0
    return text
  }
  if (format.section === undefined) return text
  if (/^\s*\+-/.test(text)) {
    format.section += 1
    return ''
  }
  const margin = /^\s*\| ?/.exec(text)?.[0]
  if (margin === undefined) format.section = undefined
  return text.slice(margin?.length ?? 0)
}

/** Takes off the lines of a drawn box. The title becomes a heading, and a frame of rich a frame. */
function undraw(line: string): string {
  if (!/^\s*[╭┌┏╔╰└┗╚│┃║]/.test(line)) return line
  const text = line.trim()
  const indent = line.slice(0, line.length - line.trimStart().length)
  if (/^[╭┌┏╔].*[╮┐┓╗]$/.test(text)) {
    const title = text
      .slice(1, -1)
      .replace(/[─━═]+/g, '')
      .trim()
    // A narrow box cuts its title.
    return title.startsWith('Traceback') ? `${indent}${headingWords}:` : title && `${title}:`
  }
  if (/^[╰└┗╚][─━═].*[╯┘┛╝]$/.test(text)) return ''
  if (!/^[│┃║].*[│┃║]$/.test(text)) return line
  const content = text.slice(1, -1).trim()
  const [, file, number] = /^((?:\/|[A-Za-z]:\\)[^:]{1,500}):(\d{1,9}) in /.exec(content) ?? []
  if (file !== undefined) return `${indent}  File "${file}", line ${number}`
  // Of the code that rich shows, only the line that raised the error counts.
  if (/^\d+(?: │|$)/.test(content)) return ''
  return `${indent}    ${content.replace(/^❱ *\d+ │ */, '')}`
}

const date =
  '\\d{4}[-/]\\d\\d[-/]\\d\\d|\\d\\d[-/.](?:\\d\\d|[A-Z][a-z]{2})[-/.]\\d{4}|[A-Z][a-z]{2} [ \\d]\\d'
const time = '\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?: ?(?:Z|UTC|[+-]\\d\\d:?\\d\\d))?'
const timestamp = new RegExp(
  `^\\s?(?:<\\d{1,3}>\\d? ?)?(?:time=|ts=)?["[(]?(?:(?:${date})(?:, |[ T:]))?${time}["\\])]?(?: ?[-|:;,](?!\\d)|(?=\\s|$))[ \\t]?`,
)
const capitals = names.toUpperCase()
const capitalLevel = new RegExp(`(?:^|[\\s|;,:([<])(${capitals})(?=[\\s:|/;,\\])>]|$)`)
// `Error: boom` is a message. Therefore, only harmless levels count in lower case.
const markedLevel = new RegExp(
  `^(trace|debug|info|notice|warn|warning)(?=[\\s:|])|\\[(${names}) *\\]|\\b(?:level|levelname|severity|lvl)=["']?(${names})\\b`,
  'i',
)
const afterLevel = /^(?:\/[\w-]{1,40})? {0,9}["'\])>]?(?: {0,9}(?:[|:;,]|-(?= )))?[ \t]?/
const warningOfPython = /^\S.{0,500}:\d+: [\w.]*Warning: /

/** Reads timestamp and level off a line. */
function readWords(line: string): Omit<LogLine, 'section'> {
  const whole = line.slice(0, maxLineLength)
  const text = whole.replace(timestamp, '')
  const isStamped = text.length < whole.length
  if (text.includes('Warning: ') && warningOfPython.test(text)) {
    return { text, level: warning, isStamped }
  }
  const head = text.slice(0, maxLevelAt)
  const [capital, marked] = [capitalLevel.exec(head), markedLevel.exec(head)]
  const found = capital && (!marked || capital.index <= marked.index) ? capital : marked
  if (!found) return { text, level: undefined, isStamped }
  const end = found.index + found[0].length
  const rest = text.slice(end).replace(afterLevel, '')
  if (isBlank({ text: rest })) return { text: rest, level: undefined, isStamped }
  const name = found.slice(1).find((part) => part !== undefined) ?? ''
  const level = ranks[name.toLowerCase()]
  // Words in front of a level are kept, unless a timestamp shows that a logger wrote them.
  const before = text.slice(0, end)
  const isKept = !isStamped && !/\d\d:\d\d:\d\d/.test(before) && /\w\W+\w/.test(before)
  if (isKept) return { text, level, isStamped }
  return { text: rest.replace(timestamp, ''), level, isStamped: isStamped || timestamp.test(rest) }
}

interface JsonLine {
  text: string
  level: number | undefined
  /** The lines of the exceptions that the object has. */
  more: LogLine[]
}

type JsonObject = Readonly<Record<string, unknown>>

// What a container's log has in front of an object.
const beforeJson = /^(?:\S+ +\| *|std(?:out|err) [FP] |(?:\S+ )?[^\s[]+\[[^\s\]]+\]: )?$/

/** Reads a line that is a JSON object. Returns undefined if the line does not look like one. */
function readJson(line: string): JsonLine | 'broken' | undefined {
  const at = line.indexOf('{')
  if (at === -1 || at > maxPrefixLength || !/^\{\s*"/.test(line.slice(at, at + 9))) return undefined
  if (!line.trimEnd().endsWith('}')) return undefined
  if (!beforeJson.test(line.slice(0, at).replace(timestamp, ''))) return undefined
  let value: JsonObject
  try {
    value = JSON.parse(line.slice(at)) as JsonObject
  } catch {
    return 'broken'
  }
  const whole = textOf(value, 'message', 'msg', 'event', 'text', 'log', 'textPayload') ?? line
  const [text = '', ...rest] = whole.trimEnd().split('\n')
  const reason = textOf(value, 'error', 'reason', 'detail', 'exception')
  const isShort = reason !== undefined && !reason.includes('\n') && !text.includes(reason)
  const level = ranks[levelIn(value)?.toLowerCase() ?? '']
  const more = [rest.join('\n'), ...exceptionsIn(value, whole)].filter((log) => log !== '')
  return { text: isShort ? `${text}: ${reason}` : text, level, more: more.flatMap(readLines) }
}

function levelIn(value: JsonObject): string | undefined {
  const nested = [value['log'], value['record'], value].find(
    (part) => isObject(part) && 'level' in part,
  )
  const level = isObject(nested) ? nested['level'] : undefined
  if (isObject(level)) return textOf(level, 'name')
  return textOf({ ...value, level }, 'level', 'levelname', 'severity', 'log.level')
}

/** Returns the exceptions in a JSON value, each written as CPython writes it. */
function exceptionsIn(value: unknown, known: string, depth = 0): string[] {
  if (typeof value === 'string') {
    return value !== known && value.includes(headingWords) ? [value] : []
  }
  if (depth > maxJsonDepth || typeof value !== 'object' || value === null) return []
  const own = isObject(value) ? exceptionOf(value) : undefined
  if (own !== undefined) return [own]
  // In a list, the exception that was raised last comes first.
  const parts = Array.isArray(value) ? value.toReversed() : Object.values(value)
  return parts.flatMap((part) => exceptionsIn(part, known, depth + 1))
}

function exceptionOf(value: JsonObject): string | undefined {
  const name = textOf(value, 'exc_type', 'error.type', 'type', 'kind')
  const words = textOf(value, 'exc_value', 'error.message', 'message', 'value') ?? ''
  const stack = textOf(value, 'error.stack_trace', 'stack_trace', 'stack')
  const frames = Array.isArray(value['frames']) ? value['frames'].filter(isObject) : []
  if (name === undefined || (stack === undefined && frames.length === 0)) return undefined
  if (stack?.includes(headingWords) === true) return stack
  const shown = frames.map((frame) => {
    const line = frame['lineno'] ?? frame['line']
    return `  File "${textOf(frame, 'filename', 'file') ?? ''}", line ${String(line)}`
  })
  return [`${headingWords}:`, stack ?? shown.join('\n'), `${name}: ${words}`].join('\n')
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the first of these members that is a text. */
function textOf(value: JsonObject, ...keys: readonly string[]): string | undefined {
  return keys.map((key) => value[key]).find((member) => typeof member === 'string')
}
