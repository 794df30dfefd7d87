/** Reads the Python tracebacks of a log. */
import { critical, error } from './levels.ts'
import { indentation, isMarked, type Lines } from './lines.ts'
import { textAt, wordsAt } from './message.ts'

interface Frame {
  /** A path on the machine that ran the automation. */
  file: string
  line: number
}

interface Exception {
  /** The exception with its words, in one line. Empty if there is no message. */
  text: string
  /** The innermost frame outside of libraries. */
  frame: Frame | undefined
  /** True if code of a library raised the exception. */
  isOfLibrary: boolean
}

export interface Traceback extends Exception {
  /** The indexes of the first line and of the line with the message, both of the whole chain. */
  first: number
  last: number
  /** True if Python printed the traceback beside the program or after its end. */
  isNoise: boolean
}

type Read = Omit<Traceback, 'isNoise'>

// Also matches a frame without a function name (SyntaxError), and a frame of faulthandler.
const frameLine = /^\s*(?:> )?File "([^"]{1,1000})", line (\d{1,9})(?:,? in .*)?$/
const library =
  /(?:^|[\\/])(?:site-packages|dist-packages|lib[\\/]python\d[\d.]*t?|python\d+[\\/]lib|x64[\\/]lib)[\\/]|^<(?!string>|stdin>)|\.p(?:yx|xi)$/i
// What a script runs that pip makes for a command. A main file with this line has further frames.
const callOfCommand = /^\s+sys\.exit\(\w+\(\)\)$/
const exceptionLine = /^[\p{L}_][\p{L}\p{N}_.<>]*(?:\([\w.]+\))?(?::\s|:?$)/u
const isGroup = /\(\d+ sub-exceptions?\)$/
const isPartOfDump =
  /^$|^\s|hread 0x|^Python runtime state|^Extension modules: |(?:^|: +\d+ )(?:Aborted|Segmentation fault|Bus error)\b/
// The maximum number of lines from the noise to its traceback. They describe, for example, a task.
const maxDetails = 3

/** Returns all tracebacks. A chain of exceptions is one traceback. */
export function findTracebacks(lines: Lines): Traceback[] {
  const found: Traceback[] = []
  let noiseAt = -Infinity
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]?.kind.rank === 'noise') noiseAt = at
    const read = readTraceback(lines, at)
    // The lines of a traceback that has no message are not read again.
    at = Math.max(at, read?.last ?? at)
    if (!read || read.text === '') continue
    const before = textAt(lines, read.first - 1) || textAt(lines, read.first - 2)
    const link = links.find(({ words }) => before.includes(words))
    const earlier = link && found.pop()
    const isOfNoise = read.first - noiseAt <= maxDetails
    const begin = earlier ?? { first: isOfNoise ? noiseAt : read.first, isNoise: isOfNoise }
    const exception = earlier ? link.choose(earlier, read) : read
    found.push({ ...exception, first: begin.first, last: read.last, isNoise: begin.isNoise })
  }
  return found
}

/** What Python writes between two exceptions of a chain, and which of the two is the cause. */
const links = [
  {
    words: 'exception was the direct cause of the',
    choose(earlier: Exception, later: Exception): Exception {
      // An exception that names only another exception gets the words of that exception.
      const [, name] = /^([\w.]+): (?:\w*\[)?<.*>\]?$/.exec(later.text) ?? []
      if (name !== undefined) return { ...earlier, text: `${name}: ${earlier.text}` }
      // A process pool raises the exception of a worker again.
      return later.text === earlier.text && earlier.frame ? earlier : later
    },
  },
  {
    words: 'During handling of the above exception',
    // Libraries wrap exceptions. Otherwise, the handler of the automation has failed itself.
    choose(earlier: Exception, later: Exception): Exception {
      const isWrapped = earlier.frame === undefined || /^[\w.]*CancelledError\b/.test(earlier.text)
      return later.isOfLibrary && !isWrapped ? earlier : later
    },
  },
]

/** Reads the traceback that begins at a line, if any. Its text is '' if it has no message. */
function readTraceback(lines: Lines, first: number): Read | undefined {
  const name = lines[first]?.kind.name
  if (name === 'fatal error of Python') return readFatalError(lines, first)
  return name === 'heading' || name === 'frame of Python' ? readFrames(lines, first) : undefined
}

/** Reads frames and the message below them: the first line that is indented less. */
function readFrames(lines: Lines, first: number): Read {
  const frames: number[] = []
  const begin = textAt(lines, first)
  const least = Math.max(1, indentation(begin) + (lines[first]?.kind.name === 'heading' ? 1 : 0))
  let at = first
  for (let line = lines[at]; line; line = lines[++at]) {
    if (frameLine.test(line.text)) frames.push(at)
    else if (at > first && line.text !== '' && indentation(line.text) < least) {
      // Either all lines below the heading have a timestamp or a level, or none.
      const isOther = isMarked(line) && !isMarked(lines[first])
      if (isOther || !exceptionLine.test(line.text.trim())) break
      // The exceptions of a group follow. The first one has no heading if it was never raised.
      while (isGroup.test(textAt(lines, at)) && exceptionLine.test(textAt(lines, at + 2))) at += 2
      return { ...describe(lines, at, frames), first, last: at }
    }
  }
  const above = messageAbove(lines, first)
  const words = describe(lines, above ?? -1, frames)
  return { ...words, first: above ?? first, last: at - 1 }
}

/** Returns the line with the message of a traceback that has none below its frames. */
function messageAbove(lines: Lines, first: number): number | undefined {
  // Dagster writes the message, a blank line, and a heading of its own.
  if (textAt(lines, first - 1) === 'Stack Trace:') return first - 3
  // AWS Lambda writes the message above the heading.
  const above = first - 1
  return lines[above]?.level === error ? above : undefined
}

/** Describes an exception. `frames`: the indexes of the frames, innermost last. */
function describe(lines: Lines, at: number, frames: readonly number[]): Exception {
  const read = frames.map((index) => {
    const [, file = '', line] = frameLine.exec(textAt(lines, index)) ?? []
    const isOfLibrary = library.test(file) || callOfCommand.test(textAt(lines, index + 1))
    return { index, file, line: Number(line), isOfLibrary }
  })
  const own = read.filter(({ isOfLibrary }) => !isOfLibrary)
  const place = own.findLast(({ file }) => !file.startsWith('<')) ?? own.at(-1)
  return {
    text: messageAt(lines, at, (place ?? read.at(-1))?.index),
    frame: place && { file: place.file, line: place.line },
    isOfLibrary: read.at(-1)?.isOfLibrary ?? false,
  }
}

/** Returns the words of an exception. If there are none, returns its name and a line of code. */
function messageAt(lines: Lines, at: number, frame = -1): string {
  if (at < 0) return ''
  const [name] = /^[^\s:]+$|^.*: Message(?=:$)/.exec(textAt(lines, at).trim()) ?? []
  const code = textAt(lines, frame + 1)
  const hasCode = frame >= 0 && indentation(code) > indentation(textAt(lines, frame))
  return name !== undefined && hasCode ? `${name}: ${code.trim()}` : wordsAt(lines, at)
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
  // The main thread comes last.
  const thread = threads.find(({ name }) => name.startsWith('Current')) ?? threads.at(-1)
  const frames = thread?.frames ?? []
  // A logger's last line may say why the program aborted itself.
  const begin = lines[first - 1]?.level === critical ? first - 1 : first
  const exception = describe(lines, begin, frames)
  return { ...exception, text: frames.length > 0 ? wordsAt(lines, begin) : '', first: begin, last }
}
