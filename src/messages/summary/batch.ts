/** The job summary of a batch. */
import type { Annotation } from '../annotation.ts'
import { batchHint } from '../batch/hint.ts'
import { batchFailureLines, batchHeading, type BatchEnd } from '../batch/verdict.ts'
import { categoryWords, describeBatchEnd, everyCategory } from '../batch/progress.ts'
import type { BatchSurvey } from '../batch/survey.ts'
import { describeElapsed } from '../quantities.ts'
import { renderGantt } from './batch-gantt.ts'
import { renderResultHeads, type ResultHead } from './batch-results.ts'
import { renderRuns } from './batch-table.ts'
import { joinBlocks, Page } from './html.ts'
import type { Show } from '../text/secrets.ts'
import { assemble, keyCell } from './table.ts'

/** What the summary tells beside the survey of the runs. */
export interface BatchSummary extends BatchEnd {
  startedOn: Date
  /** Milliseconds. */
  duration: number
  /** Whether the step fails. */
  failed: boolean
  artifact: { name: string; url: string } | undefined
  /** Why the step fails though no run does: files that the next steps count on. */
  lost: Annotation | undefined
  /** The page of the workflow run. */
  runUrl: string | undefined
  /** None where the input print-result is false. */
  results: readonly ResultHead[]
}

const longestName = 100
const longestSentence = 600
const longestFact = 200

/**
 * HTML blocks and one chart, under 400 KiB whatever the number of runs and whatever is in their
 * texts. Ends with a blank line, like the summary of one run.
 */
export function renderBatchSummary(batch: BatchSummary, survey: BatchSurvey, show: Show): string {
  const page = new Page(show)
  return joinBlocks([
    `<h3>${heading(batch, survey, page)}</h3>`,
    ...renderFailure(batch, survey, page),
    renderFacts(batch, page),
    ...renderGantt(survey.bars, batch.startedOn),
    ...renderRuns(survey.rows, batch.counts.total, page),
    ...renderResultHeads(batch.results, batch.counts.succeeded, page),
  ])
}

function heading(batch: BatchSummary, survey: BatchSurvey, page: Page): string {
  const name = page.prose(batch.automation, longestName)
  if (batch.lost) return `❌ ${page.prose(batch.lost.title, longestSentence)}`
  if (batch.failed)
    return `${batch.conclusion === 'cancelled' ? '🚫' : '❌'} ${batchHeading(batch, survey, name).title}`
  const sign = batch.counts.succeeded === batch.counts.total ? '✅' : '⚠️'
  return `${sign} ${describeBatchEnd(batch.counts, name, batch.duration)}`
}

function renderFailure(batch: BatchSummary, survey: BatchSurvey, page: Page): string[] {
  if (!batch.failed) return []
  if (batch.lost) return [`<p>${page.prose(batch.lost.message, 4 * longestSentence)}</p>`]
  const place = { artifactUrl: batch.artifact?.url, failedSeedsFile: undefined }
  const hint = `Next: ${batchHint(batch, survey, place, page.show)}`
  const [first = '', ...more] = [...batchFailureLines(batch, survey, page.show), hint].map((line) =>
    page.prose(line, longestSentence),
  )
  return [`<p>${[`<strong>${first}</strong>`, ...more].join('<br>')}</p>`]
}

function capitalise(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

function renderFacts({ counts, duration, artifact, runUrl }: BatchSummary, page: Page): string {
  const present = everyCategory.filter((category) => counts[category] > 0)
  const rows: [string, string][] = [
    ['Runs', String(counts.total)],
    ...present.map((category): [string, string] => [
      capitalise(categoryWords[category]),
      String(counts[category]),
    ]),
    ['Duration', describeElapsed(duration)],
  ]
  if (artifact) {
    rows.push(['Artifact', page.link(artifact.url, page.prose(artifact.name, longestFact))])
  }
  if (runUrl !== undefined) rows.push(['Workflow run', page.link(runUrl, 'this run')])
  return assemble(rows.map(([name, value]) => `<tr>${keyCell(name, page)}<td>${value}</td></tr>`))
}
