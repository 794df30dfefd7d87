/** Reads the Python tracebacks of a log. */
import { critical, error, indentation, isHeading, isMarked, type LogLine } from './log-lines.ts'

interface Frame {
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
type Words = Pick<Traceback, 'text' | 'frame'>

// Also matches a frame without a function name (SyntaxError), and a frame of faulthandler.
const frameLine = /^\s*(?:> )?File "([^"]{1,1000})", line (\d{1,9})(?:,? in .*)?$/
// Also matches frames of Java, JavaScript and Go, and the commands that a shell shows (set -x).
export const stackFrame =
  /^\s*(?:\+{1,9} |at |\.{3} \d+ (?:more|common|lines)|File "|goroutine \d|created by |\[cause\]: )/
const library =
  /(?:^|[\\/])(?:site-packages|dist-packages|lib[\\/]python\d[\d.]*t?|python\d+[\\/]lib|x64[\\/]lib)[\\/]|^<(?!string>|stdin>)|\.p(?:yx|xi)$/i
const exceptionLine = /^[\p{L}_][\p{L}\p{N}_.<>]*(?:\([\w.]+\))?(?::\s|:?$)/u
const namedError = /^[\w.]*(?:Error|Exception|Interrupt|Exit)(?::\s|:?$)/
const fatalError = /Fatal Python error: |Windows fatal exception: |^Timeout \(\d/
const isPartOfDump =
  /^$|^\s|hread 0x|^Python runtime state|^Extension modules: |(?:^|: +\d+ )(?:Aborted|Segmentation fault|Bus error)\b/
// Noise that a traceback follows.
const noise =
  /Exception ignored |exception was never retrieved|--- Logging error ---|^Call stack:$|Error in atexit\._run_exitfuncs/
// The maximum number of lines from the noise to its traceback. They describe, for example, a task.
const maxDetails = 3
// Noise that no traceback follows.
const remark =
  /^Arguments: |Task was destroyed but it is pending|Unclosed (?:client session|connector)|^\w+: <[A-Z\w.]+ |^\S.{0,500}:\d+: [\w.]*Warning: /

const textAt = (lines: Lines, at: number): string => lines[at]?.text ?? ''

/** Returns true if Python printed the line beside the program, or after its end. */
export function isNoise(lines: Lines, at: number): boolean {
  const isNamed = (text: string) => noise.test(text) || remark.test(text)
  const text = textAt(lines, at)
  if (isNamed(text)) return true
  // A line of code or an exception may follow.
  const mayFollow = namedError.test(text) || indentation(text) > 0
  return mayFollow && isNamed(textAt(lines, at - 1))
}

/** Returns all tracebacks. A chain of exceptions is one traceback. */
export function findTracebacks(lines: Lines): Traceback[] {
  const found: Traceback[] = []
  let noiseAt = -Infinity
  for (let at = 0; at < lines.length; at++) {
    const text = textAt(lines, at)
    if (noise.test(text)) noiseAt = at
    else if (text.startsWith('Arguments: ')) noiseAt = -Infinity
    const read = readTraceback(lines, at)
    // The lines of a traceback that has no message are not read again.
    at = Math.max(at, read?.last ?? at)
    if (!read || read.text === '') continue
    const before = textAt(lines, read.first - 1) || textAt(lines, read.first - 2)
    const isDirect = before.includes('exception was the direct cause of the')
    const isChained = isDirect || before.includes('During handling of the above exception')
    const cause = isChained ? found.pop() : undefined
    const isNoise = read.first - noiseAt <= maxDetails
    const { first } = cause ?? { first: isNoise ? noiseAt : read.first }
    // An exception that names only another exception gets the words of that exception.
    const [, name] = /^([\w.]+): (?:\w+\[)?<.*>\]?$/.exec(read.text) ?? []
    const words = name !== undefined && cause && isDirect ? `${name}: ${cause.text}` : read.text
    // A process pool raises the exception of a worker again.
    const isRaisedAgain = cause?.text === words && !library.test(cause.frame?.file ?? '<>')
    const frame = isRaisedAgain ? cause.frame : read.frame
    found.push({ ...read, text: words, frame, first, isNoise: cause?.isNoise ?? isNoise })
    noiseAt = -Infinity
  }
  return found
}

/** Reads the traceback that begins at a line, if any. Its text is '' if it has no message. */
function readTraceback(lines: Lines, first: number): Read | undefined {
  const text = textAt(lines, first)
  if (lines[first]?.section !== undefined) return readGroup(lines, first)
  if (fatalError.test(text)) return readFatalError(lines, first)
  return isHeading(text) || frameLine.test(text) ? readFrames(lines, first) : undefined
}

/** Reads frames and the message below them: the first line that is indented less. */
function readFrames(lines: Lines, first: number): Read {
  const frames: number[] = []
  const begin = textAt(lines, first)
  const least = Math.max(1, indentation(begin) + (isHeading(begin) ? 1 : 0))
  let at = first
  for (let line = lines[at]; line; line = lines[++at]) {
    if (frameLine.test(line.text)) frames.push(at)
    else if (at > first && line.text !== '' && indentation(line.text) < least) {
      // Either all lines below the heading have a timestamp or a level, or none.
      const isOther = isMarked(line) && !isMarked(lines[first])
      if (isOther || !exceptionLine.test(line.text.trim())) break
      return { ...describe(lines, at, frames), first, last: at }
    }
  }
  // AWS Lambda writes the message above the traceback.
  const above = first - 1
  const isAbove = lines[above]?.level === error && namedError.test(textAt(lines, above))
  const words = isAbove ? describe(lines, above, frames) : { text: '', frame: undefined }
  return { ...words, first: isAbove ? above : first, last: at - 1 }
}

/** Describes an exception. `frames`: the indexes of the frames, innermost last. */
function describe(lines: Lines, at: number, frames: readonly number[]): Words {
  const text = wordsAt(lines, at)
  const read = frames.map((index) => {
    const [, file = '', line] = frameLine.exec(textAt(lines, index)) ?? []
    return { index, file, line: Number(line) }
  })
  const own = read.filter(({ file }) => !library.test(file))
  const place = own.findLast(({ file }) => !file.startsWith('<')) ?? own.at(-1) ?? read.at(-1)
  if (!place) return { text, frame: undefined }
  const { index, ...frame } = place
  // If the exception says nothing, the line of code is added as an explanation.
  const [name] = /^[^\s:]+$|^.*: Message(?=:$)/.exec(textAt(lines, at).trim()) ?? []
  const code = textAt(lines, index + 1)
  const hasCode = indentation(code) > indentation(textAt(lines, index))
  return { text: name !== undefined && hasCode ? `${name}: ${code.trim()}` : text, frame }
}

/** Reads what faulthandler prints, and prefers the current thread. */
function readFatalError(lines: Lines, first: number): Read {
  const threads: { name: string; frames: number[] }[] = []
  let last = first
  for (; isPartOfDump.test(lines[last + 1]?.text ?? 'end'); last++) {
    const next = textAt(lines, last + 1)
    if (next.includes('hread 0x')) threads.push({ name: next, frames: [] })
    // The innermost frame comes first.
    if (frameLine.test(next)) threads.at(-1)?.frames.unshift(last + 1)
  }
  const thread = threads.find(({ name }) => name.startsWith('Current')) ?? threads.at(-1)
  const { frame } = describe(lines, first, thread?.frames ?? [])
  // A logger's last line may say why the program aborted itself.
  const begin = lines[first - 1]?.level === critical ? first - 1 : first
  return { text: frame ? wordsAt(lines, begin) : '', frame, first: begin, last }
}

/** Reads an exception group. Its cause is the first exception inside that is no group. */
function readGroup(lines: Lines, first: number): Read {
  const parts: LogLine[][] = []
  let end = first
  for (let line = lines[end]; line?.section !== undefined; line = lines[++end]) {
    const part = (parts[line.section] ??= [])
    part.push({ ...line, section: undefined })
  }
  const exceptions = parts.map((part) => {
    // An exception inside a group has no traceback if it was never raised.
    const bare = part.findIndex(({ text }) => exceptionLine.test(text))
    return findTracebacks(part).at(-1) ?? describe(part, bare, [])
  })
  const inner = exceptions.find(({ text }) => !/^$|\(\d+ sub-exceptions?\)$/.test(text))
  const cause = inner ?? exceptions[0]
  return {
    text: cause?.text ?? '',
    frame: cause?.frame ?? exceptions[0]?.frame,
    first,
    last: end - 1,
  }
}

/** Returns the words of a line. If the line says too little, adds at most two of the next lines. */
export function wordsAt(lines: Lines, at: number): string {
  const line = textAt(lines, at)
  let text = line.trim()
  const isList = /\b\d+ validation errors? for | Error in \w+ \w+ \(/.test(text)
  let mayFollow = isList || text.endsWith(':')
  for (const next of [at + 1, at + 2]) {
    const isIndented = indentation(textAt(lines, next)) > indentation(line)
    // Java writes an exception and its stack below the line of the logger.
    const isJava = namedError.test(textAt(lines, next)) && stackFrame.test(textAt(lines, next + 1))
    if (endsWords(lines, next) || !(isIndented || mayFollow || isJava)) break
    text += `${text.endsWith(':') ? ' ' : '; '}${textAt(lines, next).trim()}`
    mayFollow &&= isList || !isIndented
  }
  return text
}

function endsWords(lines: Lines, at: number): boolean {
  const text = textAt(lines, at)
  return (
    isMarked(lines[at]) ||
    text === '' ||
    isHeading(text) ||
    stackFrame.test(text) ||
    isNoise(lines, at)
  )
}
