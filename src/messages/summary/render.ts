/** The job summary: what a person sees on the page of the workflow run. */
import { causeLine, whyLines } from '../annotation.ts'
import { hintFor, titleOf } from '../failure.ts'
import type { ResultPreview, SummaryFacts } from './facts.ts'
import { renderFacts } from './fact-table.ts'
import { joinBlocks, Page, preformatted, takeWithin, type Show } from './html.ts'
import { showTexts } from '../text/shown-texts.ts'
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
 * the other. `show` says what may be seen of a text, before it is put into words, cut or escaped; of
 * the result it does so once that has been parsed.
 */
export function renderSummary({ result, ...given }: SummaryFacts, show: Show): string {
  const facts = showTexts(given, show)
  const page = new Page(show)
  return joinBlocks([
    `<h3>${heading(facts, page)}</h3>`,
    ...renderFailure(facts, page),
    renderFacts(facts, page),
    ...(result ? renderWhatItReturned(facts.conclusion, result, page) : []),
    ...renderLog(facts, page),
  ])
}

function heading(facts: SummaryFacts, page: Page): string {
  const { conclusion, automation, executionId } = facts
  const execution = executionId === undefined ? 'The automation' : `Execution ${executionId}`
  const name = page.prose(automation ?? execution, longestName)
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
function renderFailure(facts: SummaryFacts, page: Page): string[] {
  const sentences = failureLines(facts).slice(0, mostSentences)
  const [why, ...more] = sentences.map((line) => page.prose(line, longestSentence))
  if (why === undefined) return []
  return [`<p>${[`<strong>${why}</strong>`, ...more].join('<br>')}</p>`]
}

/** What happened and what to do; the rest of an annotation is in the table of facts. */
function failureLines({ failure, message, cause, executionId }: SummaryFacts): string[] {
  if (failure) return [...whyLines(failure, cause), `Next: ${hintFor(failure, executionId)}`]
  const why = cause ? [causeLine(cause)] : []
  return message === undefined ? why : message.split('\n')
}

function renderWhatItReturned(
  conclusion: SummaryFacts['conclusion'],
  result: ResultPreview,
  page: Page,
): string[] {
  return conclusion === 'success' ? renderResult(result, page) : [nameResult(result, page)]
}

function renderLog({ conclusion, log }: SummaryFacts, page: Page): string[] {
  if (conclusion === 'success' || !log?.trim()) return []
  const all = page.preformatted(log.trimEnd().slice(-mostLogCharacters))
  // From the last line backwards: where it is too much, the oldest lines go.
  const shown = takeWithin(all.slice(-mostLogLines).toReversed(), longestLog).toReversed()
  const title = all.length < mostLogLines ? 'The log' : `The log's last ${shown.length} lines`
  return [`<p><strong>${title}</strong></p>\n${preformatted(shown)}`]
}
