import type { LogLine } from './log-lines.ts'

/** One `File "…", line N` of a Python traceback. */
interface Frame {
  file: string
  line: number
}

interface Traceback {
  message: string
  /** The innermost frame that is not of a library; of libraries only: the innermost. */
  frame: Frame
  /** All its frames are of libraries, up to the first line: others may stand before that. */
  isCut: boolean
}

// Also the two frames' forms of a SyntaxError, which names no function.
const frameLine = /^([\s|]{0,200})File "([^"]{1,1000})", line (\d{1,9})(?:, in .*)?$/
const library =
  /(?:^|[\\/])(?:site-packages|dist-packages|lib[\\/]python\d[\d.]*t?|python\d+[\\/]lib)[\\/]|^</i

/**
 * The last Python traceback of a log. It is found by its last frame, so that it counts even where
 * its heading is cut off, is chained to others, or never was (a SyntaxError of the main file).
 */
export function findTraceback(lines: readonly LogLine[]): Traceback | undefined {
  const last = lines.findLastIndex(({ text }) => frameLine.test(text))
  const innermost = lines[last]?.text
  if (innermost === undefined) return undefined
  // Exception groups draw a bar beside what belongs to them.
  const barred = /^\s*\|/.test(innermost)
  const unbar = (text: string): string => (barred ? text.replace(/^\s*\| ?/, '') : text)
  const message = readMessage(
    lines.slice(last + 1).map(({ text }) => unbar(text)),
    indentation(unbar(innermost)),
  )
  const { frames, isCut } = readFrames(lines.slice(0, last + 1), unbar)
  const own = frames.find(({ file }) => !library.test(file))
  const frame = own ?? frames[0]
  if (message === undefined || frame === undefined) return undefined
  return { message, frame, isCut: isCut && own === undefined }
}

/** The first line that is indented less than the frames; with the next, where it says nothing. */
function readMessage(lines: readonly string[], frameIndentation: number): string | undefined {
  const at = lines.findIndex((line) => line.trim() && indentation(line) < frameIndentation)
  const message = lines[at]?.trim()
  if (message === undefined || message.startsWith('+--')) return undefined
  if (!/^[\w.]+:$/.test(message)) return message
  const next = lines.slice(at + 1, at + 5).find((line) => line.trim())
  return next === undefined ? message : `${message} ${next.trim()}`
}

/** The frames, innermost first, up to the first line that belongs to none, if there is one. */
function readFrames(
  lines: readonly LogLine[],
  unbar: (text: string) => string,
): { frames: Frame[]; isCut: boolean } {
  const frames: Frame[] = []
  for (const { text } of lines.toReversed()) {
    const [, , file, line] = frameLine.exec(text) ?? []
    if (file !== undefined) frames.push({ file, line: Number(line) })
    else if (indentation(unbar(text)) === 0 && text) return { frames, isCut: false }
  }
  return { frames, isCut: true }
}

function indentation(text: string): number {
  return text.length - text.trimStart().length
}
