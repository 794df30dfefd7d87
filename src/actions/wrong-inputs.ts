/** Shows wrong inputs in the job summary. */
import type { ActionError } from '../messages/annotation.ts'
import type { Step } from '../runner/step.ts'

/** A step with right inputs does not load the summary for this. */
export async function showWrongInputs(problem: ActionError, step: Step): Promise<void> {
  const { summariseWrongInputs } = await import('./summarise.ts')
  await summariseWrongInputs(problem, step)
}
