/** Finds the traceback that may be the cause, and the lines of a log that are no candidates. */
import { warning } from './levels.ts'
import { isMarked, type Lines } from './lines.ts'
import { isNoise, namedError, textAt } from './message.ts'
import { findTracebacks, type Traceback } from './traceback.ts'

interface Findings {
  /** The traceback that may be the cause. */
  main: Introduced | undefined
  /** The traceback of a task that nobody awaited. */
  task: Traceback | undefined
  /** For each line, 1 if the line is in a traceback or an object, noise, or handled. */
  isOut: Uint8Array
}

interface Introduced extends Traceback {
  /** The level of the line that introduces the traceback. 0 if there is none. */
  level: number
  isInThread: boolean
}

// The maximum number of lines of an inspected object.
const maxMembers = 500

export function findMainTraceback(lines: Lines): Findings {
  const isOut = findMembers(lines)
  lines.forEach(({ kind }, at) => {
    if (kind.rank === 'code' || isNoise(lines, at)) isOut[at] = 1
  })
  const tracebacks = findTracebacks(lines)
  for (const { first, last } of tracebacks) isOut.fill(1, first, last + 1)
  const lastLevel = lines.findLastIndex(({ level }, at) => isOut[at] === 0 && level !== undefined)
  const candidates = introduce(lines, tracebacks, isOut)
  const isHandled = ({ level, last }: Introduced) => level === warning && last < lastLevel
  const open = candidates.filter((traceback) => !isHandled(traceback))
  const last = open.at(-1)
  const uncaught = open.findLast(({ level, isInThread }) => level < warning && !isInThread)
  const task = tracebacks.findLast(({ first }) => lines[first]?.kind.name === 'lost task')
  return { main: last?.isInThread ? (uncaught ?? last) : last, task, isOut }
}

/** Adds to each traceback that is no noise what introduces it: the nearest line above of a logger. */
function introduce(lines: Lines, tracebacks: Traceback[], isOut: Uint8Array): Introduced[] {
  let at = 0
  let above = -1
  return tracebacks.flatMap((traceback) => {
    if (traceback.isNoise) return []
    const { first } = traceback
    for (; at < first; at++) if (isOut[at] === 0 && isMarked(lines[at])) above = at
    // A logger may write the heading into its own line.
    const own = lines[first]?.level
    const level = own ?? lines[above]?.level ?? 0
    const isInThread = textAt(lines, first - 1).startsWith('Exception in thread ')
    return { ...traceback, level, isInThread }
  })
}

/** Returns 1 for each line of an object that is printed with an exception, 0 for the other lines. */
function findMembers(lines: Lines): Uint8Array {
  const isMember = new Uint8Array(lines.length)
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]
    if (!line?.text.endsWith('{')) continue
    if (line.kind.rank !== 'code' && !namedError.test(line.text)) continue
    let end = at + 1
    while (end < Math.min(at + maxMembers, lines.length) && !/^\S/.test(textAt(lines, end))) end++
    // Without the closing brace, they are ordinary lines.
    if (textAt(lines, end).startsWith('}')) isMember.fill(1, at + 1, end + 1)
    at = end - 1
  }
  return isMember
}
