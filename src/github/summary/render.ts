/** The job summary: what a person sees on the page of the workflow run. */
import { causeLine, whyLines } from '../annotation.ts'
import { hintFor, titleOf } from '../failure-words.ts'
import type { SummaryFacts } from './facts.ts'
import { renderFacts } from './fact-table.ts'
import { escapePreformatted, escapeProse, joinBlocks, preformatted, takeWithin } from './html.ts'
import { redactTexts } from './redact.ts'
import { nameResult, renderResult } from './result.ts'

const mostLogLines = 40
const longestLog = 32 * 1024
// Enough for 40 long lines: it bounds the work.
const mostLogCharacters = 100_000
const longestSentence = 600
const mostSentences = 6
const longestName = 100

/**
 * The summary of one step: HTML blocks that GitHub shows as they are, at most 200 KiB. It starts
 * with a heading and ends with a blank line, so that several steps of one job read well one after
 * the other. `redact` takes secrets out of all texts before they are cut or escaped.
 */
export function renderSummary(given: SummaryFacts, redact: (text: string) => string): string {
  const facts = redactTexts(given, redact)
  return joinBlocks([
    `<h3>${heading(facts)}</h3>`,
    ...renderFailure(facts),
    renderFacts(facts),
    ...renderWhatItReturned(facts),
    ...renderLog(facts),
  ])
}

function heading(facts: SummaryFacts): string {
  const { conclusion, automation, executionId } = facts
  const execution = executionId === undefined ? 'The automation' : `Execution ${executionId}`
  const name = escapeProse(automation ?? execution, longestName)
  const [sign, words] = verdicts[conclusion]
  if (facts.failed && facts.failure) {
    return `${conclusion === 'success' ? '❌' : sign} ${titleOf(facts.failure, name)}`
  }
  if (facts.failed === (conclusion !== 'success')) return `${sign} ${name} ${words}`
  return facts.failed
    ? `❌ ${name} ${words}, but this step failed`
    : `⚠️ ${name} ${words} (allowed by fail-on)`
}

const verdicts: Record<SummaryFacts['conclusion'], readonly [sign: string, words: string]> = {
  success: ['✅', 'succeeded'],
  error: ['❌', 'failed'],
  'container-error': ['❌', 'died'],
  stopped: ['🛑', 'was stopped'],
  'timed-out': ['⏱️', 'timed out'],
  cancelled: ['🚫', 'is no longer watched: the step was cancelled'],
  unknown: ['❓', 'has an unknown outcome'],
  'not-started': ['❌', 'was not started'],
}

/** The first line tells why. */
function renderFailure(facts: SummaryFacts): string[] {
  const sentences = failureLines(facts).slice(0, mostSentences)
  const [why, ...more] = sentences.map((line) => escapeProse(line, longestSentence))
  if (why === undefined) return []
  return [`<p>${[`<strong>${why}</strong>`, ...more].join('<br>')}</p>`]
}

/** What happened and what to do; the rest of an annotation is in the table of facts. */
function failureLines({ failure, message, cause, executionId }: SummaryFacts): string[] {
  if (failure) return [...whyLines(failure, cause), `Next: ${hintFor(failure, executionId)}`]
  const why = cause ? [causeLine(cause)] : []
  return message === undefined ? why : message.split('\n')
}

function renderWhatItReturned({ conclusion, result }: SummaryFacts): string[] {
  if (!result) return []
  return conclusion === 'success' ? renderResult(result) : [nameResult(result)]
}

function renderLog({ conclusion, log }: SummaryFacts): string[] {
  if (conclusion === 'success' || !log?.trim()) return []
  const all = escapePreformatted(log.trimEnd().slice(-mostLogCharacters))
  // From the last line backwards: where it is too much, the oldest lines go.
  const shown = takeWithin(all.slice(-mostLogLines).toReversed(), longestLog).toReversed()
  const title = all.length < mostLogLines ? 'The log' : `The log's last ${shown.length} lines`
  return [`<p><strong>${title}</strong></p>\n${preformatted(shown)}`]
}
