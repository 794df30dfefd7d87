/** The job summary: what a person sees on the page of the workflow run. */
import { whyLines } from '../failure-annotation.ts'
import { conclusions } from '../../execution/conclusion.ts'
import type { ExecutionReport } from '../../execution/execution-report.ts'
import type { Failure } from '../failure.ts'
import { helpAddress, titles } from '../catalogue.ts'
import { joinBlocks, Page, preformatted, takeWithin } from './html.ts'
import type { Show } from '../text/secrets.ts'
import { nameResult, renderResult, type ResultPreview } from './result.ts'
import { describeElapsed } from '../quantities.ts'
import { causeLine, causeWords, describeAttempts } from '../retries.ts'
import { headingCell, numberCell, tableOf } from './table.ts'

/** What the summary says beside the report of the execution. */
export interface SummaryParts {
  /** The verdict in a few words. */
  title: string
  /** How the step fails; undefined where it passes. */
  failure?: Failure | undefined
  /** What is left to do where it passes all the same. */
  remainder?: readonly string[] | undefined
  artifact?: { name: string; url: string } | undefined
  /** The end of the run's log; its last 40 lines are shown on failure. */
  log?: string | undefined
  result?: ResultPreview | undefined
}

const maxLogLines = 40
const maxLog = 32 * 1024
// Enough for 40 long lines: it bounds the work.
const maxLogCharacters = 100_000
const maxSentence = 600

/**
 * The summary of one step: HTML blocks that GitHub shows as they are, at most 200 KiB. It starts
 * with a heading and ends with a blank line, so that several steps of one job read well one after
 * the other. `show` says what may be seen of a text, before it is put into words, cut or escaped; of
 * the result it does so once that has been parsed.
 */
export function renderSummary(report: ExecutionReport, parts: SummaryParts, show: Show): string {
  const page = new Page(show)
  return joinBlocks([
    `<h3>${signOf(report, parts.failure)} ${page.prose(parts.title, maxSentence)}</h3>`,
    ...renderFailure(report, parts, page),
    ...renderProblems(report, page),
    ...renderAttempts(report, page),
    ...(parts.result ? renderWhatItReturned(report, parts.result, page) : []),
    renderFacts(report, parts, page),
    ...renderLog(report, parts, page),
  ])
}

function signOf({ conclusion }: ExecutionReport, failure: Failure | undefined): string {
  if (failure) return conclusion === 'success' ? '❌' : conclusions[conclusion].sign
  return conclusion === 'success' ? '✅' : '⚠️'
}

/** The first line says why. */
function renderFailure(report: ExecutionReport, parts: SummaryParts, page: Page): string[] {
  const sentences = failureLines(report, parts, page)
  const [why, ...more] = sentences.map((line) => page.prose(line, maxSentence))
  if (why === undefined) return []
  const { failure } = parts
  const help = failure && page.link(helpAddress(titles[failure.title].help), 'Help')
  return [`<p>${[`<strong>${why}</strong>`, ...more, help ?? []].flat().join('<br>')}</p>`]
}

/** What happened and what to do; the rest of an annotation is in the table of facts. */
function failureLines(
  report: ExecutionReport,
  { failure, remainder }: SummaryParts,
  page: Page,
): readonly string[] {
  const { cause } = report
  const attempts = describeAttempts(report, page.show) ?? []
  if (!failure) return [cause ? causeLine(cause, page.show) : [], attempts, remainder ?? []].flat()
  return [whyLines(failure, cause, page.show), attempts, `Next: ${failure.next}`].flat()
}

/** What keeps the result from being what the schema asks for: the first few. */
function renderProblems({ resultProblems }: ExecutionReport, page: Page): string[] {
  if (!resultProblems) return []
  const { lines, count } = resultProblems
  const title =
    lines.length === count ? 'Problems' : `The first ${lines.length} of ${count} problems`
  return [`<p><strong>${title}</strong></p>\n${preformatted(page.preformatted(lines.join('\n')))}`]
}

function renderWhatItReturned(
  { conclusion }: ExecutionReport,
  result: ResultPreview,
  page: Page,
): string[] {
  if (conclusion === 'success') return renderResult(result, page)
  // What a task returns that raised an error.
  return result.text?.trim() === 'null' ? [] : [nameResult(result, page)]
}

function renderLog({ conclusion }: ExecutionReport, { log }: SummaryParts, page: Page): string[] {
  if (conclusion === 'success' || !log?.trim()) return []
  const all = page.preformatted(log.trimEnd().slice(-maxLogCharacters))
  // From the last line backwards: where it is too much, the oldest lines go.
  const shown = takeWithin(all.slice(-maxLogLines).toReversed(), maxLog).toReversed()
  const title = all.length < maxLogLines ? 'The log' : `The log's last ${shown.length} lines`
  return [`<p><strong>${title}</strong></p>\n${preformatted(shown)}`]
}

const maxId = 200
const maxCause = 300
const headings = ['#', 'Execution', 'Ended', 'After', 'Why'].map(headingCell)

/** Nothing where there was one execution, which is among the facts. */
export function renderAttempts(
  { attempts, executionId }: Pick<ExecutionReport, 'attempts' | 'executionId'>,
  page: Page,
): string[] {
  if (attempts.every((attempt) => attempt.executionId === executionId)) return []
  const rows = attempts.map(({ executionId, conclusion, cause, startedOn, finishedOn }, index) => [
    numberCell(`${index + 1}`),
    `<td><code>${page.prose(executionId, maxId)}</code></td>`,
    `<td>${conclusion}</td>`,
    `<td>${describeElapsed(finishedOn.getTime() - startedOn.getTime())}</td>`,
    `<td>${page.prose(causeWords(cause, page.show), maxCause)}</td>`,
  ])
  return [tableOf([headings, ...rows]).html]
}

const maxFact = 200

/** The small table of a summary: only what is known. */
function renderFacts(report: ExecutionReport, { artifact }: SummaryParts, page: Page): string {
  const { automation, project, executionId, webhookGiven } = report
  // Without an id there is no run of which any of these is known.
  const isKnown = executionId !== undefined
  const duration = isKnown ? report.duration : undefined
  const rows: [string, string | undefined][] = [
    ['Automation', code(automation, page)],
    ['Project', code(project, page)],
    ['Execution', code(executionId, page)],
    ['Duration', duration === undefined ? undefined : describeElapsed(duration)],
    ['Artifact', artifact && page.link(artifact.url, page.prose(artifact.name, maxFact))],
    ['Webhook', isKnown && webhookGiven ? 'given by this step' : undefined],
  ]
  const known = rows.filter(([, value]) => value !== undefined)
  return tableOf(
    known.map(([name, value = '']) => [`<th align="left">${name}</th>`, `<td>${value}</td>`]),
  ).html
}

function code(text: string | undefined, page: Page): string | undefined {
  return text === undefined ? undefined : `<code>${page.prose(text, maxFact)}</code>`
}
