/** Finds the line of a log that says why a program failed. */
import { ranks, type Rank } from './kinds.ts'
import { error, warning } from './levels.ts'
import { readLines, type Line, type Lines } from './lines.ts'
import { textAt, wordsAt } from './message.ts'
import { findMainTraceback } from './main-traceback.ts'
import type { Traceback } from './traceback.ts'

export interface Cause {
  /** One line in the words of the log. The text must be cleaned before it is shown. */
  text: string
  /** Where the error was raised, if the log has a traceback. */
  frame?: Traceback['frame']
  /** True if no line of the log looks like an error. Then `text` is the last line. */
  isLastLine?: true
}

// The number of lines above an exception that may be the output of another program.
const maxAbove = 50

/** Returns the line that best says why a program failed. Undefined if the log has no words. */
export function findCause(logEnd: string): Cause | undefined {
  return causeIn(readLines(logEnd))
}

function causeIn(lines: Lines): Cause | undefined {
  const { main, task, isOut } = findMainTraceback(lines)
  const found = new Map<Rank, number>()
  lines.forEach(({ kind, level }, at) => {
    if (isOut[at] === 1) return
    // At level ERROR, an exit status says more than the last line.
    const rank = kind.name === 'exit status' && level === error ? 'pointer' : kind.rank
    const isAfter = at > (main?.last ?? -1)
    if (rank === 'ended' && !isAfter) return
    // The program continued after a traceback that a logger wrote.
    if (rank === 'stop' && isAfter && main && main.level >= warning) found.set('ended', at)
    const isFirst = rank === 'compiler' || rank === 'installer'
    if (!isFirst || !found.has(rank)) found.set(rank, at)
  })
  for (const rank of ranks) {
    const at = found.get(rank)
    const traceback = rank === 'traceback' ? main : rank === 'task' && task
    if (traceback)
      return causeAbove(lines, traceback) ?? { text: traceback.text, frame: traceback.frame }
    if (at !== undefined) return describeLine(lines, at, rank)
  }
  return undefined
}

function describeLine(lines: Lines, at: number, rank: Rank): Cause {
  const text = textAt(lines, at).trim()
  if (rank === 'last' || rank === 'status') return { text, isLastLine: true }
  if (text.startsWith('FAILED ')) return describeTest(lines, text)
  return { text: wordsAt(lines, at) }
}

/** Describes a test of pytest that failed. Its summary may be cut. */
function describeTest(lines: Lines, summary: string): Cause {
  const [test = '', cut = ''] = summary.split(/ - (.*)/)
  const words = cut.replace(/(?:\.{3}|…)$/, '')
  const at = lines.findLastIndex(({ text }) => text.startsWith('E ') && text.includes(words))
  const place = /^(\S+\.py):(\d{1,9}): \w+$/
  const line = lines.find(({ text }, index) => index > at && place.test(text))
  const [, file, number] = place.exec(line?.text ?? '') ?? []
  const text =
    words === cut || at === -1 ? summary : `${test} - ${textAt(lines, at).slice(1).trim()}`
  return { text, frame: file === undefined ? undefined : { file, line: Number(number) } }
}

/** If an exception only says that something else failed, returns what the lines above it say. */
function causeAbove(lines: Lines, main: Traceback): Cause | undefined {
  if (!wrapper.test(main.text)) return undefined
  // A logger may introduce the traceback. Its line says no more than the traceback.
  const end = main.first - (lines[main.first - 1]?.isStamped ? 1 : 0)
  const above = lines.slice(Math.max(0, end - maxAbove), end)
  const cause = causeIn(above.slice(above.findLastIndex(isHarmless) + 1))
  if (cause && !cause.isLastLine) return { ...cause, frame: cause.frame ?? main.frame }
  // A logger may have written what the other program printed.
  const { main: relayed } = findMainTraceback(above)
  const heading = relayed && above[relayed.first]
  return heading && isHarmless(heading) ? { text: relayed.text, frame: relayed.frame } : undefined
}

const wrapper =
  /\bexit(?:ed)? [^:]*\d\)?\.?$|\bdied with <Signals\.|\bChildFailedError\b|\btransaction is aborted\b/

const isHarmless = ({ level }: Line) => level !== undefined && level <= warning
