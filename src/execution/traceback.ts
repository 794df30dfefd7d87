/** Reads the Python tracebacks of a log. */
import { indentation, isBlank, isHeading, type LogLine } from './log-lines.ts'

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
  /** The index of its first line. A chain begins with the exception that was raised first. */
  first: number
  /** The index of the line with the message. */
  last: number
}

interface FrameWithSource extends Frame {
  /** The line of code, or '' if the log does not show it. */
  source: string
}

/** A traceback, if there is one, and the index at which the next one may begin. */
interface Attempt {
  traceback?: Traceback
  next: number
}

// Also matches a frame without a function name (SyntaxError), and a frame of faulthandler.
const frameLine = /^\s*(?:> )?File "([^"]{1,1000})", line (\d{1,9})(?:,? in .*)?$/
const library =
  /(?:^|[\\/])(?:site-packages|dist-packages|lib[\\/]python\d[\d.]*t?|python\d+[\\/]lib|python[\\/]\d[\d.]*[\\/]x\d\d[\\/]lib)[\\/]|^<(?!string>|stdin>)|\.p(?:yx|xi)$/i
const exceptionLine = /^[\p{L}_][\p{L}\p{N}_.<>]*(?:\([\w.]+\))?(?::\s|:?$)/u
const exceptionName = /^[\w.]*(?:Error|Exception|Interrupt|Exit)(?::\s|:?$)/
const fatalError = /(?:Fatal Python error: |Windows fatal exception: |^Timeout \(\d)/
const directCause = 'The above exception was the direct cause of the following exception'
const context = 'During handling of the above exception, another exception occurred'

/** Returns all tracebacks. A chain of exceptions is one traceback. */
export function findTracebacks(lines: readonly LogLine[]): Traceback[] {
  const found: Traceback[] = []
  let at = 0
  while (at < lines.length) {
    const { traceback, next } = readTraceback(lines, at)
    at = Math.max(next, at + 1)
    if (!traceback) continue
    const link = linkBefore(lines, traceback.first)
    const before = link && found.pop()
    found.push(before ? chained(before, traceback, link) : traceback)
  }
  return found
}

function readTraceback(lines: readonly LogLine[], at: number): Attempt {
  const line = lines[at]
  if (line === undefined) return { next: at }
  if (line.section !== undefined) return readGroup(lines, at)
  if (fatalError.test(line.text)) return readFatalError(lines, at)
  return isHeading(line) || frameLine.test(line.text) ? readFrames(lines, at) : { next: at }
}

function linkBefore(lines: readonly LogLine[], first: number): string | undefined {
  const before = lines.slice(Math.max(0, first - 3), first).findLast((line) => !isBlank(line))
  return [directCause, context].find((words) => before?.text.includes(words) === true)
}

/** An exception that names only another exception gets the words of that exception. */
function chained(before: Traceback, traceback: Traceback, link: string): Traceback {
  const { first } = before
  const [, name] = /^([\w.]+): (?:\w+\[)?<.*>\]?$/.exec(traceback.text) ?? []
  if (name === undefined || link !== directCause) return { ...traceback, first }
  return { ...traceback, first, text: `${name}: ${before.text}` }
}

/** Reads frames and the message below them: the first line that is indented less. */
function readFrames(lines: readonly LogLine[], first: number): Attempt {
  const frames: FrameWithSource[] = []
  const [begin] = lines.slice(first, first + 1)
  let frame: LogLine | undefined
  for (let at = first; at < lines.length; at++) {
    const line = lines[at]
    if (!line || !begin || line.section !== begin.section) return { next: at }
    const read = readFrame(lines, at)
    if (read) {
      frames.push(read)
      frame = line
    } else if (isHeading(line)) {
      if (at > first) return { next: at }
    } else if (
      !isBlank(line) &&
      !(frame ? isBelow(line, frame) : indentation(line) > indentation(begin))
    ) {
      const isMessage =
        exceptionLine.test(line.text.trim()) && line.isStamped === (frame ?? begin).isStamped
      if (!isMessage) return { next: at }
      return {
        traceback: { ...describe(lines, at, placeOf(frames)), first, last: at },
        next: at + 1,
      }
    }
  }
  return { next: lines.length }
}

/** The lines below a frame show its code. A collector may have taken off all indentation. */
function isBelow(line: LogLine, frame: LogLine): boolean {
  if (indentation(line) < indentation(frame)) return false
  return indentation(frame) > 0 || !exceptionName.test(line.text)
}

function readFrame(lines: readonly LogLine[], at: number): FrameWithSource | undefined {
  const [, file, line] = frameLine.exec(lines[at]?.text ?? '') ?? []
  if (file === undefined) return undefined
  const [own, next] = [lines[at], lines[at + 1]]
  const hasSource =
    own && next && indentation(next) > indentation(own) && !frameLine.test(next.text)
  return { file, line: Number(line), source: hasSource ? next.text.trim() : '' }
}

/** Returns the innermost frame outside of libraries. The innermost frame comes last. */
function placeOf(frames: readonly FrameWithSource[]): FrameWithSource | undefined {
  return frames.findLast(({ file }) => !library.test(file)) ?? frames.at(-1)
}

function describe(
  lines: readonly LogLine[],
  at: number,
  place: FrameWithSource | undefined,
): Pick<Traceback, 'text' | 'frame'> {
  const frame = place && { file: place.file, line: place.line }
  const name = lines[at]?.text.trim() ?? ''
  const saysNothing = /^[^\s:]+$|: Message:$/.test(name)
  if (!saysNothing) return { text: wordsAt(lines, at), frame }
  return { text: place?.source ? `${name.replace(/:$/, '')}: ${place.source}` : name, frame }
}

/** Reads what faulthandler prints. The innermost frame comes first. */
function readFatalError(lines: readonly LogLine[], first: number): Attempt {
  let frames: FrameWithSource[] = []
  let isCurrent = false
  let at = first + 1
  for (; at < lines.length; at++) {
    const text = lines[at]?.text ?? ''
    const frame = readFrame(lines, at)
    if (frame) frames.unshift(frame)
    else if (/^(?:Current t|T)hread 0x/.test(text)) {
      if (isCurrent) break
      isCurrent = text.startsWith('Current')
      frames = []
    } else if (text.trim() !== '' && !/^\s|^Python runtime state/.test(text)) break
  }
  if (frames.length === 0) return { next: at }
  const text = lines[first]?.text.trim() ?? ''
  const place = placeOf(frames)
  const frame = place && { file: place.file, line: place.line }
  return { traceback: { text, frame, first, last: at - 1 }, next: at }
}

/** Reads an exception group. Its cause is the first exception inside that is no group. */
function readGroup(lines: readonly LogLine[], first: number): Attempt {
  let next = first
  const sections: Traceback[] = []
  while (lines[next]?.section !== undefined) {
    const begin = next
    while (lines[next] && lines[next]?.section === lines[begin]?.section) next += 1
    const section = readSection(
      lines.slice(begin, next).map((line) => ({ ...line, section: undefined })),
    )
    if (section) sections.push(section)
  }
  const traceback =
    sections.find(({ text }) => !/\(\d+ sub-exceptions?\)$/.test(text)) ?? sections[0]
  if (!traceback) return { next }
  const frame = traceback.frame ?? sections[0]?.frame
  return { traceback: { ...traceback, frame, first, last: next - 1 }, next }
}

/** An exception inside a group may have no traceback, because it was never raised. */
function readSection(lines: readonly LogLine[]): Traceback | undefined {
  const at = lines.findIndex((line) => exceptionLine.test(line.text))
  const bare =
    at === -1 ? undefined : { text: wordsAt(lines, at), frame: undefined, first: at, last: at }
  return findTracebacks(lines).at(-1) ?? bare
}

/** Returns the words of a line. If the line says too little, adds at most two of the next lines. */
export function wordsAt(lines: readonly LogLine[], at: number): string {
  const [line, ...more] = lines.slice(at, at + 3)
  if (line === undefined) return ''
  let text = line.text.trim()
  const isList = /\b\d+ validation errors? for /.test(text)
  let mayFollow = isList || text.endsWith(':')
  for (const next of more) {
    const isIndented = indentation(next) > indentation(line)
    if (endsWords(next) || !(isIndented || mayFollow)) break
    text += `${text.endsWith(':') ? ' ' : '; '}${next.text.trim()}`
    mayFollow &&= isList || !isIndented
  }
  return text
}

function endsWords(line: LogLine): boolean {
  const isMarked = line.isStamped || line.level !== undefined || isHeading(line)
  return isMarked || isBlank(line) || frameLine.test(line.text) || isNoise(line)
}

const noise =
  /Exception ignored |exception was never retrieved|--- Logging error ---|Error in atexit\._run_exitfuncs|Task was destroyed but it is pending|Unclosed (?:client session|connector)|^sys:1: /

/** Returns true if Python printed the line beside the program or after the end of the program. */
export function isNoise(line: LogLine | undefined): boolean {
  return line !== undefined && noise.test(line.text)
}

// The maximum number of lines between the noise and its traceback, for example a description of the task.
const maxDetails = 5

/** Returns the last line of the noise at `first`. `next` is the next traceback of the log. */
export function endOfNoise(
  lines: readonly LogLine[],
  first: number,
  next: Traceback | undefined,
): number {
  const hasTraceback = next !== undefined && next.first - first <= maxDetails
  if (hasTraceback && lines[first]?.text.includes('Logging error')) {
    for (let at = next.last; at < lines.length; at++) {
      if (/^Arguments:/.test(lines[at]?.text ?? '')) return at
      if (lines[at]?.isStamped === true || isNoise(lines[at])) break
    }
  }
  if (hasTraceback) return next.last
  let last = first
  while (isDetail(lines[last + 1])) last += 1
  return last
}

/** A task that is described, or an exception without a traceback. */
function isDetail(line: LogLine | undefined): boolean {
  return line !== undefined && (/^[a-z_]+: [<[]/.test(line.text) || exceptionName.test(line.text))
}
