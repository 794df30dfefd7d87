import { describeElapsed } from '../quantities.ts'
import type { ExecutionReport } from '../../execution/execution-report.ts'
import type { SummaryParts } from './parts.ts'
import type { Page } from './html.ts'
import { assemble, keyCell } from './table.ts'

const maxFact = 200

type Report = Pick<
  ExecutionReport,
  'automation' | 'project' | 'executionId' | 'duration' | 'webhookGiven'
>

/** The small table of a summary: only what is known. */
export function renderFacts(
  report: Report,
  { artifact, runUrl }: SummaryParts,
  page: Page,
): string {
  const { automation, project, executionId, webhookGiven } = report
  // Without an id there is no run of which any of these could be told.
  const isKnown = executionId !== undefined
  const duration = isKnown ? report.duration : undefined
  const rows: [string, string | undefined][] = [
    ['Automation', code(automation, page)],
    ['Project', code(project, page)],
    ['Execution', code(executionId, page)],
    ['Duration', duration === undefined ? undefined : describeElapsed(duration)],
    ['Artifact', artifact && page.link(artifact.url, page.prose(artifact.name, maxFact))],
    ['Workflow run', !isKnown || runUrl === undefined ? undefined : page.link(runUrl, 'this run')],
    ['Webhook', isKnown && webhookGiven ? 'given by this step' : undefined],
  ]
  return assemble(
    rows
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `<tr>${keyCell(name, page)}<td>${value ?? ''}</td></tr>`),
  )
}

function code(text: string | undefined, page: Page): string | undefined {
  return text === undefined ? undefined : `<code>${page.prose(text, maxFact)}</code>`
}
