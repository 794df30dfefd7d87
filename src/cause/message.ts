/** Composes the words of a cause from a line and the lines below it. */
import { indentation, isMarked, type Line, type Lines } from './lines.ts'

// An exception at the beginning of a line.
export const namedError = /^[\w.]*(?:Error|Exception|Interrupt|Exit)(?::\s|:?$)/
// How far below a line the stack of another language is read.
const maxStack = 500

export const textAt = (lines: Lines, at: number): string => lines[at]?.text ?? ''
const isCode = (lines: Lines, at: number): boolean => lines[at]?.kind.rank === 'code'

/** Returns true if Python printed the line beside the program, or after its end. */
export function isNoise(lines: Lines, at: number): boolean {
  const isNamed = (line?: Line) => line?.kind.rank === 'noise' || line?.kind.rank === 'remark'
  if (isNamed(lines[at])) return true
  // A line of code or an exception may follow.
  const text = textAt(lines, at)
  return isNamed(lines[at - 1]) && (namedError.test(text) || indentation(text) > 0)
}

/** Returns the words of a line. If the line says too little, adds at most two of the next lines. */
export function wordsAt(lines: Lines, at: number): string {
  const below = exceptionBelow(lines, at)
  const line = textAt(lines, at)
  let text = line.trim()
  if (below !== undefined) return `${text}; ${below}`
  // The members of an object follow.
  if (text.endsWith('{')) return `${text.slice(0, -1)}${reasonBelow(lines, at) ?? '{'}`
  const isList = /\b\d+ validation errors? for | Error in \w+ \w+ \(/.test(text)
  // YAML writes the place of what was expected, what was found, and the place of that.
  const isYaml = /: while \w+ing\b/.test(text)
  let mayFollow = isList || text.endsWith(':')
  for (const next of isYaml ? [at + 1, at + 2, at + 3] : [at + 1, at + 2]) {
    const isIndented = indentation(textAt(lines, next)) > indentation(line)
    if (endsWords(lines, next) || !(isIndented || mayFollow || isYaml)) break
    text += `${text.endsWith(':') ? ' ' : '; '}${textAt(lines, next).trim()}`
    mayFollow &&= isList || !isIndented
  }
  return text
}

function endsWords(lines: Lines, at: number): boolean {
  const text = textAt(lines, at)
  return text === '' || isCode(lines, at) || isNoise(lines, at) || isMarked(lines[at])
}

/** Returns what a member of the JSON object below a line says is wrong. */
function reasonBelow(lines: Lines, at: number): string | undefined {
  const below = lines.slice(at + 1, at + maxStack)
  const end = below.find(({ text }) => /^(?:\S| +"(?:error|message|msg|reason)": ")/.test(text))
  return /^ +"\w+": "(.+)",?$/.exec(end?.text ?? '')?.[1]
}

/**
 * Returns the exception of a stack of Java, JavaScript or Rust that follows a line. If there are
 * several, returns the last one, which is the cause of the others.
 */
function exceptionBelow(lines: Lines, at: number): string | undefined {
  const first = textAt(lines, at + 1)
  const hasException = namedError.test(first) && isCode(lines, at + 2)
  let found = hasException ? first.trim() : undefined
  let isInList = false
  for (let next = at + (hasException ? 2 : 1); next < at + maxStack; next++) {
    const text = textAt(lines, next)
    const [heading, words = ''] = /^\s*(?:Caused by|\[cause\]):\s*(.*?)(?: \{)?$/.exec(text) ?? []
    const isItem: boolean = isInList && /^\s/.test(text)
    const isStack = isItem || (text === '' ? lines[next] !== undefined : isCode(lines, next))
    if (heading === undefined && !isStack) break
    if (words !== '') found = words
    else if (isItem) found = text.trim().replace(/^\d+: /, '')
    isInList = heading === undefined ? isItem : words === ''
  }
  return found
}
