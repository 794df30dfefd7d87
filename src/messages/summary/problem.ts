/** Renders the job summary of a step that ended before it started anything. */
import type { Problem } from '../annotation.ts'
import { helpAddress } from '../catalogue.ts'
import type { Show } from '../text/secrets.ts'
import { joinBlocks, Page } from './html.ts'

const maxLine = 1_000

/** Returns the summary. Each line of the problem's message becomes an entry of a list. */
export function renderProblemSummary(problem: Problem, show: Show): string {
  const page = new Page(show)
  const entries = problem.message.split('\n').map((line) => `<li>${page.prose(line, maxLine)}</li>`)
  const help = page.link(helpAddress(problem.entry), 'Help')
  return joinBlocks([
    `<h3>❌ ${page.prose(problem.title, maxLine)}</h3>`,
    `<ul>\n${entries.join('\n')}\n</ul>`,
    `<p>Next: ${page.prose(problem.hint, maxLine)}<br>${help}</p>`,
  ])
}
