import type { Step } from '../runner/step.ts'
import type { SummaryFacts } from '../messages/summary/facts.ts'
import { renderSummary } from '../messages/summary/render.ts'
import { writeSummary } from '../messages/summary/write.ts'

/** Adds to the job summary. What goes wrong with it is a warning: it changes no verdict. */
export async function addSummary(facts: SummaryFacts, step: Step): Promise<void> {
  const { environment, secrets, log } = step
  const text = renderSummary(facts, (part, isCut) => secrets.show(part, isCut))
  const problem = await writeSummary(text, environment['GITHUB_STEP_SUMMARY'])
  if (problem) log.warning(`The job summary was not written: ${problem}`)
}
