/** Reads the Python tracebacks of a log. */
import { indentation, isHeading, type LogLine } from './log-lines.ts'

export interface Frame {
  /** A path on the machine that ran the automation. */
  file: string
  line: number
}

export interface Traceback {
  /** The exception with its words, in one line. */
  text: string
  /** The innermost frame outside of libraries, or the innermost frame if all are in libraries. */
  frame: Frame | undefined
  /** The indexes of the first line and of the line with the message, both of the whole chain. */
  first: number
  last: number
  /** True if Python printed the traceback beside the program or after its end. */
  isNoise: boolean
}

type Lines = readonly LogLine[]
type Read = Omit<Traceback, 'isNoise'>

// Also matches a frame without a function name (SyntaxError), and a frame of faulthandler.
const frameLine = /^\s*(?:> )?File "([^"]{1,1000})", line (\d{1,9})(?:,? in .*)?$/
// Also matches frames of Java, JavaScript and Go.
export const stackFrame =
  /^\s*(?:at |\.{3} \d+ (?:more|common|lines)|File "|goroutine \d|created by |\[cause\]: )/
const library =
  /(?:^|[\\/])(?:site-packages|dist-packages|lib[\\/]python\d[\d.]*t?|python\d+[\\/]lib|x64[\\/]lib)[\\/]|^<(?!string>|stdin>)|\.p(?:yx|xi)$/i
const exceptionLine = /^[\p{L}_][\p{L}\p{N}_.<>]*(?:\([\w.]+\))?(?::\s|:?$)/u
const namedError = /^[\w.]*(?:Error|Exception|Interrupt|Exit)(?::\s|:?$)/
const fatalError = /Fatal Python error: |Windows fatal exception: |^Timeout \(\d/
const noise =
  /Exception ignored |exception was never retrieved|--- Logging error ---|^Call stack:$|^Arguments: |Error in atexit\._run_exitfuncs|Task was destroyed but it is pending|Unclosed (?:client session|connector)|^sys:1: /
// The maximum number of lines from the noise to its traceback. They describe, for example, a task.
const maxDetails = 5

/** Returns true if Python printed the line beside the program, or after its end. */
export function isNoise(lines: Lines, at: number): boolean {
  const [before, line] = [lines[at - 1]?.text ?? '', lines[at]?.text ?? '']
  return noise.test(line) || (namedError.test(line) && noise.test(before))
}

/** Returns all tracebacks. A chain of exceptions is one traceback. */
export function findTracebacks(lines: Lines): Traceback[] {
  const found: Traceback[] = []
  let noiseAt = -Infinity
  for (let at = 0; at < lines.length; at++) {
    if (noise.test(lines[at]?.text ?? '')) noiseAt = at
    const read = readTraceback(lines, at)
    // The lines of a traceback that has no message are not read again.
    at = Math.max(at, read?.last ?? at)
    if (!read || read.text === '') continue
    const before = lines
      .slice(Math.max(0, read.first - 3), read.first)
      .findLast(({ text }) => text !== '')?.text
    const isDirect = before?.includes('exception was the direct cause of the') === true
    const isChained =
      isDirect || before?.includes('During handling of the above exception') === true
    const cause = isChained ? found.pop() : undefined
    const { first, isNoise } = cause ?? {
      first: read.first,
      isNoise: read.first - noiseAt <= maxDetails,
    }
    // An exception that names only another exception gets the words of that exception.
    const [, name] = /^([\w.]+): (?:\w+\[)?<.*>\]?$/.exec(read.text) ?? []
    const text = name !== undefined && cause && isDirect ? `${name}: ${cause.text}` : read.text
    found.push({ ...read, text, first, isNoise })
    noiseAt = -Infinity
  }
  return found
}

/** Reads the traceback that begins at a line, if any. Its text is '' if it has no message. */
function readTraceback(lines: Lines, first: number): Read | undefined {
  const line = lines[first]
  if (!line) return undefined
  if (line.section !== undefined) return readGroup(lines, first)
  if (fatalError.test(line.text)) return readFatalError(lines, first)
  return isHeading(line) || frameLine.test(line.text) ? readFrames(lines, first) : undefined
}

/** Reads frames and the message below them: the first line that is indented less. */
function readFrames(lines: Lines, first: number): Read {
  const frames: number[] = []
  let begin: LogLine | undefined
  let at = first
  for (; at < lines.length; at++) {
    const line = lines[at]
    if (!line || (begin && isHeading(line))) break
    const isFrame = frameLine.test(line.text)
    if (isFrame) frames.push(at)
    const least = begin && Math.max(1, indentation(begin) + (isHeading(begin) ? 1 : 0))
    if (isFrame || !begin) begin = line
    else if (line.text !== '' && least !== undefined && indentation(line) < least) {
      const isSameLogger = line.isStamped === begin.isStamped && line.level === begin.level
      const isMessage = isSameLogger && exceptionLine.test(line.text.trim())
      if (isMessage) return { ...describe(lines, at, frames), first, last: at }
      break
    }
  }
  return { text: '', frame: undefined, first, last: at - 1 }
}

/** Describes an exception. `frames`: the indexes of the frames, innermost last. */
function describe(
  lines: Lines,
  at: number,
  frames: readonly number[],
): Omit<Read, 'first' | 'last'> {
  const fileAt = (index: number) => frameLine.exec(lines[index]?.text ?? '') ?? []
  const place = frames.findLast((index) => !library.test(fileAt(index)[1] ?? '')) ?? frames.at(-1)
  const text = wordsAt(lines, at)
  if (place === undefined) return { text, frame: undefined }
  const [, file = '', line] = fileAt(place)
  const frame = { file, line: Number(line) }
  // If the exception says nothing, the line of code is added as an explanation.
  const [name = ''] = /^[^\s:]+$|^.*: Message(?=:$)/.exec(lines[at]?.text.trim() ?? '') ?? []
  const [own, code] = [lines[place], lines[place + 1]]
  const hasCode = own && code && indentation(code) > indentation(own) && !frameLine.test(code.text)
  return { text: name && hasCode ? `${name}: ${code.text.trim()}` : text, frame }
}

/** Reads what faulthandler prints, and prefers the current thread. */
function readFatalError(lines: Lines, first: number): Read {
  let frames: number[] = []
  let isCurrent = false
  let last = first
  for (; last + 1 < lines.length; last++) {
    const text = lines[last + 1]?.text ?? ''
    const isThread = /^(?:Current t|T)hread 0x/.test(text)
    if (isThread ? isCurrent : /^\S/.test(text) && !text.startsWith('Python runtime')) break
    isCurrent ||= text.startsWith('Current')
    if (isThread) frames = []
    if (frameLine.test(text)) frames.push(last + 1)
  }
  // The innermost frame comes first.
  const { frame } = describe(lines, first, frames.reverse())
  return { text: frame ? (lines[first]?.text.trim() ?? '') : '', frame, first, last }
}

/** Reads an exception group. Its cause is the first exception inside that is no group. */
function readGroup(lines: Lines, first: number): Read {
  const exceptions: Pick<Read, 'text' | 'frame'>[] = []
  let end = first
  while (lines[end]?.section !== undefined) {
    const [begin, section] = [end, lines[end]?.section]
    while (lines[end]?.section === section && end < lines.length) end += 1
    const part = lines.slice(begin, end).map((line) => ({ ...line, section: undefined }))
    // An exception inside a group has no traceback if it was never raised.
    const bare = part.findIndex((line) => exceptionLine.test(line.text))
    const own = findTracebacks(part).at(-1) ?? (bare === -1 ? undefined : describe(part, bare, []))
    if (own) exceptions.push(own)
  }
  const [group] = exceptions
  const cause = exceptions.find(({ text }) => !/\(\d+ sub-exceptions?\)$/.test(text)) ?? group
  return { text: cause?.text ?? '', frame: cause?.frame ?? group?.frame, first, last: end - 1 }
}

/** Returns the words of a line. If the line says too little, adds at most two of the next lines. */
export function wordsAt(lines: Lines, at: number): string {
  const [line, ...more] = lines.slice(at, at + 3)
  let text = line?.text.trim() ?? ''
  const isList = /\b\d+ validation errors? for /.test(text)
  let mayFollow = isList || text.endsWith(':')
  for (const [index, next] of more.entries()) {
    const isIndented = line !== undefined && indentation(next) > indentation(line)
    const isMarked = next.isStamped || next.level !== undefined || isNoise(lines, at + 1 + index)
    const isEnd = isMarked || next.text === '' || isHeading(next) || stackFrame.test(next.text)
    if (isEnd || !(isIndented || mayFollow)) break
    text += `${text.endsWith(':') ? ' ' : '; '}${next.text.trim()}`
    mayFollow &&= isList || !isIndented
  }
  return text
}
