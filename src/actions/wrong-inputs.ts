/** Shows wrong inputs in the job summary. */
import type { ActionError } from '../messages/annotation.ts'
import type { Step } from '../runner/step.ts'

/** Writes the job summary. The code for the summary is loaded only if the inputs are wrong. */
export async function showWrongInputs(problem: ActionError, step: Step): Promise<void> {
  const { summariseWrongInputs } = await import('./summarise.ts')
  await summariseWrongInputs(problem, step)
}
