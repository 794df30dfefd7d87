/** Reads the lines of a log: what each line says, without what log formats add to it. */
import { undraw } from './drawings.ts'
import { headingWords, readJson } from './json-line.ts'
import { kindOf, type Kind } from './kinds.ts'
import { levelNames, levelOf } from './levels.ts'

export interface Line {
  /** The words, with their indentation. Without colours, timestamp, level, prefix and drawn box. */
  text: string
  level: number | undefined
  /** True if the line has a timestamp, or is a JSON object with a level. */
  isStamped: boolean
  kind: Kind
}

export type Lines = readonly Line[]

// Only the beginning of a line is read. JSON and unfolded tracebacks are read as a whole.
const maxLineLength = 4_000
const maxLevelAt = 100
const maxPrefixLength = 200
// Each line that looks like JSON and is not JSON costs an exception.
const maxBrokenJson = 1_000

const escape = String.fromCharCode(0x1b)
const colour = new RegExp(`${escape}\\[[0-?]*[ -/]*[@-~]`, 'g')
// What Kubernetes writes before each line of a container, and BuildKit before each line of a step.
const ofContainer =
  /^#\d+ \d+\.\d{1,3} |^\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:Z|[+-]\d\d:\d\d) std(?:out|err) [FP] /
// A collector may write `\n` or rsyslog's `#012` in place of line breaks.
const folded = /Traceback \(most recent call last\):?(?:\\r)?(?:\\n|#012)/
// What a container's log has in front of an object.
const beforeJson = /^(?:\S+ +\| *|(?:\S+ )?[^\s[]+\[[^\s\]]+\]: )?$/

/** Returns the lines of a log. JSON objects and folded tracebacks become several lines. */
export function readLines(log: string): Line[] {
  const lines: Line[] = []
  const short = new Map<string, Line>()
  let broken = 0
  let format: Format = {}
  const add = (text: string, level?: number) => {
    const words = readLine(text, format, level)
    lines.push({ ...words, kind: kindOf(words) })
  }
  for (const raw of log.replace(/^\ufeff/, '').split('\n')) {
    // A log may have a million short lines. They have no level, no timestamp and no drawing.
    if (raw.length < 2 && /^\w*$/.test(raw) && !format.prefix && !format.head) {
      const line = short.get(raw) ?? { ...blank, text: raw, kind: kindOf({ ...blank, text: raw }) }
      short.set(raw, line)
      lines.push(line)
      continue
    }
    const line = lastState(raw)
    const [, before = '', end] = /^([^{]{0,200})(\{\s*".*\})\s*$/.exec(line) ?? []
    const isObject = beforeJson.test(before.trimStart().replace(timestamp, ''))
    const object = isObject && broken < maxBrokenJson ? end : undefined
    const json = object === undefined ? undefined : readJson(object)
    if (!json) {
      if (object !== undefined) broken += 1
      for (const text of unfold(line)) add(text)
      continue
    }
    const [first = '', ...more] = json.text.split('\n')
    add(first, json.level)
    for (const text of more) add(text)
    format = {}
    for (const exception of json.exceptions) for (const text of exception.split('\n')) add(text)
  }
  return lines
}

/** Returns true if a logger wrote the line. */
export const isMarked = (line: Line | undefined): boolean =>
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

const blank = { text: '', level: undefined, isStamped: false }

type Words = Pick<Line, 'text' | 'level' | 'isStamped'>

/** What the lines before say about the next line. */
interface Format {
  /** Matches what is in front of the heading of a traceback in its line. */
  prefix?: RegExp | undefined
  /** The line before that has no words of its own. The next line has its words. */
  head?: Words | undefined
}

// The end of a prefix that belongs to a drawn box.
const beginOfBox = /[╭┌┏╔][─━═ ]*$/
// The margin that CPython draws beside the lines of an exception group.
const margin = /^\s*(?:\| ?|\+-[-+ .\d]*)/

/** Reads one line, and remembers its format for the next lines. */
function readLine(line: string, format: Format, levelInJson?: number): Words {
  const prefix = format.prefix?.exec(line)?.[0] ?? ''
  if (prefix === '' && line !== '') format.prefix = undefined
  let text = line.slice(prefix.length)
  const before = text.slice(0, Math.max(0, text.indexOf(headingWords))).replace(beginOfBox, '')
  if (before.trim() !== '' && before.length <= maxPrefixLength) {
    format.prefix = before.endsWith('+ Exception Group ') ? margin : prefixOf(before)
    text = text.slice(before.length)
  }
  const words = readWords(undraw(text.slice(0, maxLineLength).trimEnd()))
  // A logger may write its level into the prefix.
  const level = levelInJson ?? words.level ?? (format.prefix && readWords(line).level)
  const isStamped = words.isStamped || levelInJson !== undefined
  return withHead({ ...words, level, isStamped }, format)
}

/** Returns a pattern of the lines that begin with a prefix. Its numbers may be others. */
function prefixOf(before: string): RegExp {
  const escaped = before.trimEnd().replace(/[^\w\s]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/\d+/g, '\\d+')} ?`)
}

// A line that only introduces its words: a level, or the place of a panic of Rust.
const headOnly = /^(?:thread '.{1,200} panicked at \S+:\d+:\d+:)?$/

/** Adds the words of the next line to a line that has none. */
function withHead(words: Words, format: Format): Words {
  const { head } = format
  const isHead = words.text === '' ? words.level !== undefined : headOnly.test(words.text)
  if (isHead) {
    format.head = words
    return blank
  }
  if (!head || !/[\p{L}\p{N}]/u.test(words.text)) return words
  format.head = undefined
  if (words.level !== undefined) return words
  return { ...head, text: `${head.text} ${words.text}`.trimStart() }
}

const date =
  '\\d{4}[-/]\\d\\d[-/]\\d\\d|\\d\\d[-/.](?:\\d\\d|[A-Z][a-z]{2})[-/.](?:\\d\\d){1,2}|[A-Z][a-z]{2} [ \\d]\\d'
const time = '\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?: ?(?:Z|UTC|[+-]\\d\\d:?\\d\\d))?'
const timestamp = new RegExp(
  `^\\s?(?:<\\d{1,3}>\\d? ?)?(?:time=|ts=)?["[(]?(?:(?:${date})(?:, |[ T:]))?${time}["\\])]?(?: ?[-|:;,](?!\\d)|(?=\\s|$))[ \\t]?`,
)
const names = levelNames.join('|')
const inCapitals = new RegExp(`(?:^|[\\s|;,:([<])(?:${names.toUpperCase()})(?=[\\s:|/;,\\])>]|$)`)
// `Error: boom` is a message. Therefore, only harmless levels count in lower case.
const inAnyCase = new RegExp(
  `^(?:trace|debug|info|notice|warn|warning)(?=[\\s:|])|\\[(?:${names}) *\\]|\\b(?:level|levelname|severity|lvl)=["']?(?:${names})\\b`,
  'i',
)
// The level as a letter: `[E] `, or a head of glog, absl, tornado or jupyter.
const letter = /^\[?([DIWEFC])(?: ?[\d-]{4,10} [\d:.]{8,15} [^\]]{1,80})?\] /
// What may follow a level: a process, or the name of a logger in the same brackets, and a sign.
const afterLevel =
  /^(?:\/[\w-]{1,40}| {1,3}[\w.:-]{1,60}(?=\]))? {0,9}["'\])>]?(?: {0,9}(?:[|:;,]|-(?= )))?[ \t]?/
// What Spring and the logger of Ruby write between the level and the words.
const ofLogger = /^(?: *\d+ --- \[.{1,80}\] \S+ +:|-- \S*:) ?/

/** Reads timestamp and level off a line. */
function readWords(line: string): Words {
  const text = line.replace(timestamp, '').replace(letter, (_, first: string) => {
    return `[${levelNames.find((name) => name.startsWith(first.toLowerCase()))}] `
  })
  const isStamped = text.length < line.length
  const start = text.slice(0, maxLevelAt)
  const [capitals, anyCase] = [inCapitals.exec(start), inAnyCase.exec(start)]
  const isCapitals = capitals !== null && capitals.index <= (anyCase?.index ?? maxLevelAt)
  const found = isCapitals ? capitals : anyCase
  if (!found) return { text, level: undefined, isStamped }
  const before = text.slice(0, found.index + found[0].length)
  const rest = text.slice(before.length).replace(afterLevel, '').replace(ofLogger, '')
  const level = levelOf(/[a-z]+(?=\W*$)/i.exec(found[0])?.[0])
  // Words in front of a level are kept, unless a timestamp shows that a logger wrote them.
  const hasTime = isStamped || /\d\d:\d\d:\d\d/.test(before)
  const isKept = !hasTime && /\w/.test(text.slice(0, found.index))
  if (isKept) return { text, level, isStamped }
  const words = rest.replace(timestamp, '')
  return { text: words, level, isStamped: isStamped || words !== rest }
}
