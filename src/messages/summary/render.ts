/** Renders the job summary of one run. */
import { conclusions } from '../../execution/conclusion.ts'
import { conclusionOf, executionIdOf, problemsIn, type RunReport } from '../../execution/report.ts'
import { helpAddress, titles } from '../catalogue.ts'
import type { RunJudgement } from '../judge.ts'
import type { ExecutionUrlOf } from '../execution-url.ts'
import { joinBlocks, preformatted, takeWithin, type Page } from './html.ts'
import { isResultShown, nameResult, renderResult, type ResultHead } from './result.ts'
import { describeElapsed } from '../quantities.ts'
import { causeWords } from '../cause.ts'
import { headingCell, numberCell, tableOf } from './table.ts'

/** The parts of the summary that the report of the execution does not contain. */
export interface SummaryParts {
  judged: Pick<RunJudgement, 'fails' | 'title' | 'notice' | 'lines'>
  executionUrlOf: ExecutionUrlOf
  artifact: { name: string; url: string } | undefined
  /** The end of the run's log. The summary shows the last 40 lines if the run failed. */
  log: string | undefined
  result: ResultHead | undefined
}

export const maxLogLines = 40
const maxLog = 32 * 1024
// The maximum number of log characters to escape. This is enough for 40 long lines.
const maxLogCharacters = 100_000

/**
 * Returns the summary of one step: HTML blocks, at most 200 KiB. The text ends with a blank line,
 * so that another summary can follow.
 */
export function renderSummary(report: RunReport, parts: SummaryParts, page: Page): string {
  const { judged, result } = parts
  return joinBlocks([
    `<h3>${emojiOf(report, judged)} ${page.sentence(judged.title)}</h3>`,
    ...renderFailure(judged, page),
    ...renderProblems(report, page),
    ...renderExecutions(report, parts.executionUrlOf, page),
    ...(result ? renderWhatItReturned(report, result, page) : []),
    renderFacts(report, parts, page),
    ...renderLog(report, parts, page),
  ])
}

function emojiOf({ end }: RunReport, { fails, notice }: SummaryParts['judged']): string {
  const conclusion = conclusionOf(end)
  if (!fails) return notice ? '⚠️' : '✅'
  return conclusion === 'success' ? '❌' : conclusions[conclusion].emoji
}

function renderFailure({ notice, fails, lines }: SummaryParts['judged'], page: Page): string[] {
  if (!notice) return []
  // If `fail-on` lets the step pass, people need advice only for a run that may still be running.
  const advice = fails || lines.length > 0 ? notice.advice : []
  const [why = '', ...more] = [...notice.why, ...advice].map((line) => page.sentence(line))
  const help = fails ? [page.link(helpAddress(titles[notice.name][1]), 'Help')] : []
  return [`<p>${[`<strong>${why}</strong>`, ...more, ...help].join('<br>')}</p>`]
}

function renderProblems({ end }: RunReport, page: Page): string[] {
  const problems = problemsIn(end)
  if (!problems) return []
  const { lines, count } = problems
  const title =
    lines.length === count ? 'Problems' : `The first ${lines.length} of ${count} problems`
  return [`<p><strong>${title}</strong></p>\n${preformatted(page.preformatted(lines.join('\n')))}`]
}

function renderWhatItReturned({ end }: RunReport, result: ResultHead, page: Page): string[] {
  if (isResultShown(conclusionOf(end))) return renderResult(result, page)
  // If the automation raised an error, the service keeps `null` as the result.
  return result.text?.trim() === 'null' ? [] : [nameResult(result, page)]
}

function renderLog({ end }: RunReport, { log }: SummaryParts, page: Page): string[] {
  if (conclusionOf(end) === 'success' || !log?.trim()) return []
  const all = page.preformatted(log.trimEnd().slice(-maxLogCharacters))
  // If the log is too long, its oldest lines are left out.
  const shown = takeWithin(all.slice(-maxLogLines).toReversed(), maxLog).toReversed()
  const isWhole = shown.length === all.length && all.length < maxLogLines
  const title = isWhole ? 'The log' : `The log's last ${shown.length} lines`
  return [`<p><strong>${title}</strong></p>\n${preformatted(shown)}`]
}

const maxCauseCell = 300
const headings = ['#', 'Execution', 'Ended', 'After', 'Why'].map(headingCell)

/** Returns no table for a single execution, because the table of facts already has its id. */
function renderExecutions(
  { executions, end }: Pick<RunReport, 'executions' | 'end'>,
  executionUrlOf: ExecutionUrlOf,
  page: Page,
): string[] {
  const newest = executionIdOf(end)
  if (executions.every(({ executionId }) => executionId === newest)) return []
  const rows = executions.map(
    ({ executionId, conclusion, cause, startedOn, finishedOn }, index) => [
      numberCell(`${index + 1}`),
      `<td>${linkedId(executionId, executionUrlOf, page)}</td>`,
      `<td>${conclusion}</td>`,
      `<td>${describeElapsed(finishedOn.getTime() - startedOn.getTime())}</td>`,
      `<td>${page.prose(causeWords(cause), maxCauseCell)}</td>`,
    ],
  )
  return [tableOf([headings, ...rows]).html]
}

const maxFact = 200

/** Returns the table of facts: automation, project, execution, duration, artifact and webhook. */
function renderFacts(
  report: RunReport,
  { artifact, executionUrlOf }: SummaryParts,
  page: Page,
): string {
  const { target, end, watched } = report
  const executionId = executionIdOf(end)
  // Duration and webhook belong to a run. If there is no execution id, no run is known.
  const isKnown = executionId !== undefined
  const duration = isKnown && watched !== 'one-check' ? describeElapsed(report.duration) : undefined
  const rows: [string, string | undefined][] = [
    ['Automation', code(target?.automation, page)],
    ['Project', code(target?.project, page)],
    ['Execution', isKnown ? linkedId(executionId, executionUrlOf, page) : undefined],
    [watched === 'all' ? 'Duration' : 'Watched for', duration],
    ['Artifact', artifact && page.link(artifact.url, page.prose(artifact.name, maxFact))],
    ['Webhook', isKnown && target?.webhookGiven ? 'given by this step' : undefined],
  ]
  const known = rows.filter(([, value]) => value !== undefined)
  return tableOf(
    known.map(([name, value = '']) => [`<th align="left">${name}</th>`, `<td>${value}</td>`]),
  ).html
}

/** Returns the execution id, with a link to the dashboard if there is a link. */
function linkedId(executionId: string, executionUrlOf: ExecutionUrlOf, page: Page): string {
  const html = `<code>${page.prose(executionId, maxFact)}</code>`
  return page.link(executionUrlOf(executionId), html)
}

function code(text: string | undefined, page: Page): string | undefined {
  return text === undefined ? undefined : `<code>${page.prose(text, maxFact)}</code>`
}
