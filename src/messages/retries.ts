/** Composes the words about retries that were made or not made. */
import type { Cause } from '../execution/cause.ts'
import type { RunReport } from '../execution/report.ts'
import { describeElapsed } from './quantities.ts'
import type { Show } from './text/secrets.ts'
import { inline, unpunctuated } from './text/untrusted-text.ts'

const maxCauseLength = 1_000
const maxFileLength = 500

/** Returns the log line before a retry: how the latest execution ended, and what follows. */
export function describeRetry(
  { executions }: Pick<RunReport, 'executions'>,
  { pause, max }: { pause: number; max: number },
): string {
  const { executionId = '', conclusion = '', cause } = executions.at(-1) ?? {}
  const why = causeWords(cause, (text) => text)
  const ended = `Execution ${executions.length} (${executionId}) ended with ${conclusion}`
  const follows = `Execution ${executions.length + 1} (of at most ${max}) starts in ${describeElapsed(pause)}.`
  return `${ended}${why ? ` (${unpunctuated(why)})` : ''}. ${follows}`
}

/** Returns why a due retry was not started, as a sentence. Undefined if no retry was due. */
export function describeNotRetried({
  executions = [],
  notRetried,
}: Partial<RunReport>): string | undefined {
  if (notRetried === undefined) return undefined
  return `Execution ${executions.length + 1} was not started: ${unpunctuated(notRetried)}.`
}

/** Returns in one line why an execution failed, or '' if its log does not say why. */
export function causeWords(cause: Cause | undefined, show: Show): string {
  if (!cause) return ''
  const line = causeLine(cause, show)
  return cause.isLastLine ? `its log ends with: ${line}` : line
}

/** Returns the cause. If no line of the log says why, says what happened and how the log ends. */
export function causeSentence(cause: Cause, happened: string, show: Show): string {
  const line = causeLine(cause, show)
  return cause.isLastLine ? `${happened} Its log ends with: ${line}` : line
}

/** Returns the cause with its file and line, as one line of text. */
function causeLine({ text, frame }: Cause, show: Show): string {
  const words = inline(show(text), maxCauseLength)
  if (frame === undefined) return words
  return `${words} (${inline(show(frame.file), maxFileLength)}, line ${frame.line})`
}
