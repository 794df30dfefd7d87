import { describeElapsed } from '../elapsed.ts'
import type { SummaryFacts } from './facts.ts'
import type { Page } from './html.ts'
import { assemble, keyCell } from './table.ts'

const longestFact = 200

/** The small table of a summary: only what is known. */
export function renderFacts(facts: SummaryFacts, page: Page): string {
  const { automation, project, executionId, duration, checks, artifact, runUrl, webhookGiven } =
    facts
  const rows: [string, string | undefined][] = [
    ['Automation', code(automation, page)],
    ['Project', code(project, page)],
    ['Execution', code(executionId, page)],
    ['Duration', duration === undefined ? undefined : describeElapsed(duration)],
    ['Checks made', checks === undefined ? undefined : String(checks)],
    ['Artifact', artifact && page.link(artifact.url, page.prose(artifact.name, longestFact))],
    ['Workflow run', runUrl === undefined ? undefined : page.link(runUrl, 'this run')],
    ['Webhook', webhookWords(webhookGiven)],
  ]
  return assemble(
    rows
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `<tr>${keyCell(name, page)}<td>${value ?? ''}</td></tr>`),
  )
}

function webhookWords(given: boolean | undefined): string | undefined {
  if (given === undefined) return undefined
  return given ? 'given by this step' : 'not given: the default of the automation applies'
}

function code(text: string | undefined, page: Page): string | undefined {
  return text === undefined ? undefined : `<code>${page.prose(text, longestFact)}</code>`
}
