/** The executions of a step that started more than one, as a table. */
import { describeElapsed } from '../quantities.ts'
import { causeWords } from '../retries.ts'
import type { ExecutionAttempt, ExecutionReport } from '../../execution/execution-report.ts'
import type { Page } from './html.ts'
import { assemble } from './table.ts'

const longestId = 200
const longestCause = 300
const headings = ['#', 'Execution', 'Ended', 'After', 'Why']

/** Nothing where there was one execution, which the facts tell of. */
export function renderAttempts(
  { attempts, executionId }: Pick<ExecutionReport, 'attempts' | 'executionId'>,
  page: Page,
): string[] {
  if (attempts.every((attempt) => attempt.executionId === executionId)) return []
  const heading = headings.map((text) => `<th>${page.prose(text, longestId)}</th>`).join('')
  const rows = attempts.map((attempt, index) => row(attempt, index + 1, page))
  return [assemble([`<tr>${heading}</tr>`, ...rows])]
}

function row(
  { executionId, conclusion, cause, startedOn, finishedOn }: ExecutionAttempt,
  number: number,
  page: Page,
): string {
  const elapsed = describeElapsed(finishedOn.getTime() - startedOn.getTime())
  const why = page.prose(causeWords(cause, page.show), longestCause)
  const id = `<code>${page.prose(executionId, longestId)}</code>`
  return `<tr><td align="right">${number}</td><td>${id}</td><td>${conclusion}</td><td>${elapsed}</td><td>${why}</td></tr>`
}
