/** Composes the words about retries that were made or not made. */
import type { Cause } from '../execution/cause.ts'
import type { ExecutionReport } from '../execution/execution-report.ts'
import { adviseOn, maxIdLength } from './advice.ts'
import { maxErrorLength } from './annotation.ts'
import { describeCount, describeElapsed } from './quantities.ts'
import type { Show } from './text/secrets.ts'
import { inline, unpunctuated } from './text/untrusted-text.ts'

const maxFileLength = 500

/** Returns the log line before a retry: how the latest execution ended, and what follows. */
export function describeRetry(
  { attempts }: Pick<ExecutionReport, 'attempts'>,
  { pause, next, max }: { pause: number; next: number; max: number },
  show: Show,
): string {
  const { executionId = '', conclusion = '', cause } = attempts.at(-1) ?? {}
  const why = causeWords(cause, show)
  const ended = `Execution ${next - 1} (${idWords(executionId, show)}) ended with ${conclusion}`
  const follows = `Execution ${next} of at most ${max} starts in ${describeElapsed(pause)}.`
  return `${ended}${why ? `: ${unpunctuated(why)}` : ''}. ${follows}`
}

/** Returns the reason why a planned retry was not started. Undefined if no retry was planned. */
export function describeNotRetried(
  { attempts = [], notRetried }: Partial<ExecutionReport>,
  show: Show,
): string | undefined {
  if (!notRetried) return undefined
  const notStarted = `Execution ${attempts.length + 1} was not started`
  switch (notRetried.kind) {
    case 'time-up':
      return `${notStarted}: no time was left (the input timeout).`
    case 'cancelled':
      return `${notStarted}: the step was cancelled.`
    case 'refused':
      return `${notStarted}. ${adviseOn(notRetried.failure, 'start', show).why}`
  }
}

/** Describes all executions. Returns undefined if there was only one and no retry was due. */
export function describeAttempts(report: Partial<ExecutionReport>, show: Show): string | undefined {
  const sentences = [describeEnds(report, show), describeNotRetried(report, show)]
  return sentences.filter((sentence) => sentence !== undefined).join(' ') || undefined
}

function describeEnds(
  { attempts = [], executionId }: Partial<ExecutionReport>,
  show: Show,
): string | undefined {
  const last = attempts.at(-1)
  // If there is no execution id, the service did not clearly answer the latest start request.
  // `attempts` contains only the earlier executions.
  const before = executionId === undefined ? 'Before that, ' : ''
  if (!last || (attempts.length === 1 && before === '')) return undefined
  const count = describeCount(attempts.length, 'execution')
  const conclusions = attempts.map(({ conclusion }) => conclusion)
  const isSame = new Set(conclusions).size === 1
  const ends = isSame ? last.conclusion : conclusions.join(', then ')
  return `${before}${count} ended with ${ends} (the last: ${idWords(last.executionId, show)}).`
}

/** Returns in one line why an execution failed, or '' if its log does not say why. */
export function causeWords(cause: Cause | undefined, show: Show): string {
  if (!cause) return ''
  const line = causeLine(cause, show)
  return cause.isLastLine ? `last line of its log: ${line}` : line
}

/** Returns the cause with its file and line, as one line of text. */
export function causeLine({ text, file, line }: Cause, show: Show): string {
  const place = file === undefined ? '' : inline(show(file), maxFileLength)
  const where = line === undefined ? place : `${place}, line ${line}`
  return inline(show(text), maxErrorLength) + (place ? ` (${where})` : '')
}

function idWords(executionId: string, show: Show): string {
  return inline(show(executionId), maxIdLength)
}
