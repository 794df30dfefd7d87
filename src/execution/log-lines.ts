/** Reads the lines of a log: what each line says, without what log formats add to it. */

export interface LogLine {
  /** The words, with their indentation. Without colours, timestamp, level, prefix and drawn box. */
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
const names = Object.keys(ranks)
const anyName = names.join('|')

// Only the beginning of a line is read. JSON and unfolded tracebacks are read as a whole.
const maxLineLength = 4_000
const maxLevelAt = 100
const maxPrefixLength = 200
// Each line that looks like JSON and is not JSON costs an exception.
const maxBrokenJson = 1_000
const maxJsonDepth = 4

const escape = String.fromCharCode(0x1b)
const colour = new RegExp(`${escape}\\[[0-?]*[ -/]*[@-~]`, 'g')
// What Kubernetes puts in front of each line of a container.
const ofContainer = /^\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:Z|[+-]\d\d:\d\d) std(?:out|err) [FP] /
const headingWords = 'Traceback (most recent call last)'
// A collector may write `\n` or rsyslog's `#012` in place of line breaks.
const folded = /Traceback \(most recent call last\):?(?:\\r)?(?:\\n|#012)/

/** Returns the lines of a log. JSON objects and folded tracebacks become several lines. */
export function readLines(log: string): LogLine[] {
  const lines: LogLine[] = []
  const format: Format = {}
  let broken = 0
  for (const raw of log.replace(/^\ufeff/, '').split('\n')) {
    // A short line has no level, no timestamp and no drawing. A log may have a million of them.
    if (/^\w{0,3}$/.test(raw) && !format.prefix && format.section === undefined) {
      lines.push({ text: raw, level: undefined, isStamped: false, section: undefined })
      continue
    }
    const seen = lastState(raw)
    const object = broken < maxBrokenJson ? readJson(seen) : undefined
    if (object === 'broken') broken += 1
    const isObject = typeof object === 'object'
    const [first = '', ...more] = isObject ? object.text.split('\n') : unfold(seen)
    lines.push(readLine(first, format, isObject ? object.level : undefined))
    for (const text of more) lines.push(readLine(text, format))
  }
  return lines
}

export const isHeading = (text: string): boolean => text.includes(headingWords)

/** Returns true if a logger wrote the line. */
export const isMarked = (line: LogLine | undefined): boolean =>
  line !== undefined && (line.isStamped || line.level !== undefined)

export const indentation = (text: string): number => text.length - text.trimStart().length

/** Returns a line without colours. A carriage return inside a line overwrites what is before it. */
function lastState(raw: string): string {
  const plain = (raw.includes(escape) ? raw.replace(colour, '') : raw).replace(ofContainer, '')
  if (!plain.includes('\r')) return plain
  return plain.split('\r').findLast((state) => state.trim() !== '') ?? ''
}

function unfold(line: string): string[] {
  const at = line.includes(headingWords) ? line.search(folded) : -1
  if (at === -1) return [line.slice(0, maxLineLength)]
  const quote = line[at - 1] ?? ''
  let end = /["']/.test(quote) ? line.indexOf(quote, at) : -1
  while (line[end - 1] === '\\') end = line.indexOf(quote, end + 1)
  const whole = end === -1 ? line : line.slice(0, end)
  return whole.split(/(?:\\r)?\\n|#012/).map((text) => text.replace(/\\(["'])/g, '$1'))
}

/** What the lines of one traceback have in common. */
interface Format {
  /** Matches what is in front of the heading in its line. */
  prefix?: RegExp | undefined
  section?: number | undefined
}

/** Reads one line, and remembers its format for the next lines. */
function readLine(line: string, format: Format, levelInJson?: number): LogLine {
  const prefix = format.prefix?.exec(line)?.[0] ?? ''
  if (prefix === '' && line !== '') format.prefix = undefined
  let text = line.slice(prefix.length)
  const at = format.section === undefined ? text.indexOf(headingWords) : -1
  const before = text.slice(0, Math.max(0, at)).replace(beforeHeading, '')
  if (before.trim() !== '' && before.length <= maxPrefixLength) {
    const pattern = before
      .trimEnd()
      .replace(/[^\w\s]/g, '\\$&')
      .replace(/\d+/g, '\\d+')
    format.prefix = new RegExp(`^${pattern} ?`)
    text = text.slice(before.length)
  }
  text = takeOffMargin(text.slice(0, maxLineLength).trimEnd(), format)
  const words = readWords(rewriteIPython(undraw(text)))
  return {
    text: words.text,
    // A logger may write its level into the prefix.
    level: levelInJson ?? words.level ?? (format.prefix && readWords(line).level),
    isStamped: words.isStamped || levelInJson !== undefined,
    section: format.section,
  }
}

// The end of a prefix that belongs to the heading of a group, or to a drawn box.
const beforeHeading = /(?:\+ )?(?:Exception Group )?$|[╭┌┏╔][─━═ ]*$/

/** Takes off the margin that CPython draws beside an exception group. */
function takeOffMargin(text: string, format: Format): string {
  if (/^\s*\+ Exception Group Traceback/.test(text)) format.section = 0
  else if (format.section !== undefined) {
    const [margin = '', rule] = /^\s*(?:(\+-.*)|\| ?)/.exec(text) ?? []
    if (rule !== undefined) format.section += 1
    if (margin === '') format.section = undefined
    return text.slice(margin.length)
  }
  return text
}

/** Takes off the lines of a drawn box. The title becomes a heading. A line of rich with a
 * file and a number becomes a frame. */
function undraw(line: string): string {
  const sign = line.trimStart().slice(0, 1)
  if (!/[╭┌┏╔╰└┗╚│┃║]/.test(sign) || !/[╮┐┓╗╯┘┛╝│┃║]$/.test(line)) return line
  const indent = line.slice(0, line.indexOf(sign))
  const content = line
    .slice(indent.length + 1, -1)
    .replace(/[─━═]/g, '')
    .trim()
  if (/[╭┌┏╔]/.test(sign) && content !== '') {
    // A narrow box cuts its title.
    return indent + (content.startsWith('Traceback') ? headingWords : `${content}:`)
  }
  const [, file, number] = /^((?:\/|[A-Za-z]:\\)[^:]{1,500}):(\d{1,9}) in /.exec(content) ?? []
  if (file !== undefined) return `${indent}  File "${file}", line ${number}`
  return content === '' ? '' : `${indent}    ${content}`
}

/** Writes a frame and the code of IPython as CPython does. */
function rewriteIPython(line: string): string {
  const [, cell, file = cell, number] =
    /^(?:(Cell In ?\[\d+\]), line |File ([^\s"].{0,500}):)(\d{1,9})(?:, in .*)?$/.exec(line) ?? []
  if (file !== undefined) return `  File "${file}", line ${number}`
  return line.replace(/^-{1,9}> \d{1,9} /, '    ')
}

const date =
  '\\d{4}[-/]\\d\\d[-/]\\d\\d|\\d\\d[-/.](?:\\d\\d|[A-Z][a-z]{2})[-/.](?:\\d\\d){1,2}|[A-Z][a-z]{2} [ \\d]\\d'
const time = '\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?: ?(?:Z|UTC|[+-]\\d\\d:?\\d\\d))?'
const timestamp = new RegExp(
  `^\\s?(?:<\\d{1,3}>\\d? ?)?(?:time=|ts=)?["[(]?(?:(?:${date})(?:, |[ T:]))?${time}["\\])]?(?: ?[-|:;,](?!\\d)|(?=\\s|$))[ \\t]?`,
)
// `Error: boom` is a message. Therefore, only harmless levels count in lower case.
const anyLevel = new RegExp(
  `(?:^|[\\s|;,:([<])(?:${anyName.toUpperCase()})(?=[\\s:|/;,\\])>]|$)|(?i:^(?:trace|debug|info|notice|warn|warning)(?=[\\s:|])|\\[(?:${anyName}) *\\]|\\b(?:level|levelname|severity|lvl)=["']?(?:${anyName})\\b)`,
)
// The level as a letter: `[E] `, or a head of glog, absl, tornado or jupyter.
const letter = /^\[?([DIWEFC])(?: ?[\d-]{4,10} [\d:.]{8,15} [^\]]{1,80})?\] /
const afterLevel = /^(?:\/[\w-]{1,40})? {0,9}["'\])>]?(?: {0,9}(?:[|:;,]|-(?= )))?[ \t]?/

/** Reads timestamp and level off a line. */
function readWords(line: string): Omit<LogLine, 'section'> {
  const text = line.replace(timestamp, '').replace(letter, (_, first: string) => {
    return `[${names.find((name) => name.startsWith(first.toLowerCase()))}] `
  })
  const isStamped = text.length < line.length
  const found = anyLevel.exec(text.slice(0, maxLevelAt))
  if (!found) return { text, level: undefined, isStamped }
  const before = text.slice(0, found.index + found[0].length)
  const rest = text.slice(before.length).replace(afterLevel, '')
  const name = /[a-z]+(?=\W*$)/i.exec(found[0])?.[0] ?? ''
  const level = rest === '' ? undefined : ranks[name.toLowerCase()]
  // Words in front of a level are kept, unless a timestamp shows that a logger wrote them.
  const isKept =
    !isStamped && !/\d\d:\d\d:\d\d/.test(before) && /\w/.test(text.slice(0, found.index))
  if (isKept) return { text, level, isStamped }
  const words = rest.replace(timestamp, '')
  return { text: words, level, isStamped: isStamped || words !== rest }
}

type JsonObject = Readonly<Record<string, unknown>>

const textMembers = ['message', 'msg', 'event', 'text', 'log', 'textPayload', 'errorMessage']
// What a container's log has in front of an object.
const beforeJson = /^(?:\S+ +\| *|(?:\S+ )?[^\s[]+\[[^\s\]]+\]: )?$/

/** Reads a line that is a JSON object: its level, and its text with its exceptions. */
function readJson(line: string): Pick<LogLine, 'text' | 'level'> | 'broken' | undefined {
  const [, before = '', object] = /^([^{]{0,200})(\{\s*".*\})\s*$/.exec(line) ?? []
  if (object === undefined || !beforeJson.test(before.trimStart().replace(timestamp, '')))
    return undefined
  try {
    const value = JSON.parse(object) as JsonObject
    const text = textOf(value, ...textMembers)?.trimEnd() ?? line
    // A collector may wrap what a program wrote as JSON.
    const inner = text === line ? undefined : readJson(text)
    if (typeof inner === 'object') return inner
    const reason = textOf(value, 'error', 'reason')
    const head = reason === undefined || text.includes('\n') ? text : `${text}: ${reason}`
    const level = textOf(value, 'level', 'levelname', 'severity', 'log.level', 'log_level')
    return {
      text: [...new Set([head, ...exceptionsIn(value)])].join('\n'),
      level: level === undefined ? undefined : ranks[level.toLowerCase()],
    }
  } catch {
    return 'broken'
  }
}

/** Returns the exceptions in a JSON value, each written as CPython writes it. */
function exceptionsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return value.includes(headingWords) ? [value] : []
  if (depth > maxJsonDepth) return []
  const object = (value ?? {}) as JsonObject
  const name = textOf(object, 'exc_type', 'type', 'errorType')
  const stack = object['frames'] ?? object['stackTrace'] ?? object['stack_trace']
  if (name !== undefined && (Array.isArray(stack) || typeof stack === 'string')) {
    const words = textOf(object, 'exc_value', 'errorMessage', 'message') ?? ''
    return [`${headingWords}:`, ...[stack].flat().map(frameOf), `${name}: ${words}`]
  }
  // In a list of exceptions, the exception that was raised last comes first.
  const parts = Array.isArray(value) ? value.toReversed() : Object.values(object)
  return parts.flatMap((part) => exceptionsIn(part, depth + 1))
}

function frameOf(frame: JsonObject | string): string {
  return typeof frame === 'string'
    ? frame.trimEnd()
    : `  File "${textOf(frame, 'filename', 'file') ?? ''}", line ${String(frame['lineno'])}`
}

/** Returns the first of these members that is a text. */
function textOf(value: JsonObject, ...keys: readonly string[]): string | undefined {
  return keys.map((key) => value[key]).find((member) => typeof member === 'string')
}
