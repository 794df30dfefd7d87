import { ActionError } from '../../../../src/messages/notice.ts'
import { readInputs, type Inputs } from '../../../../src/runner/inputs/inputs.ts'
import { InputProblem, type Reading } from '../../../../src/runner/inputs/readings.ts'

/** Returns the problems of a text. @throws Error if the text has none. */
export function problemsOf(read: Reading<unknown>, text: string): readonly string[] {
  try {
    read(text)
  } catch (error) {
    if (error instanceof InputProblem) return error.problems
    throw error
  }
  throw new Error('the text was accepted, but problems were expected')
}

/** Returns the environment of a step with these inputs. */
export function environmentOf(
  inputs: Record<string, string>,
  workspace = '',
): Record<string, string> {
  const named = Object.entries(inputs).map(([name, text]) => [`INPUT_${name.toUpperCase()}`, text])
  return { ...(Object.fromEntries(named) as Record<string, string>), GITHUB_WORKSPACE: workspace }
}

/** Reads inputs from these texts. */
export function valuesOf<Values>(
  read: (given: Inputs) => Values | Promise<Values>,
  inputs: Record<string, string>,
  workspace?: string,
): Promise<Values> {
  return readInputs(async (given) => read(given), environmentOf(inputs, workspace), '')
}

/** Returns the reported problems, each as `input: problem`. None if all inputs are accepted. */
export async function problemsIn(
  read: (given: Inputs) => unknown,
  inputs: Record<string, string>,
  workspace?: string,
): Promise<string[]> {
  try {
    await valuesOf(read, inputs, workspace)
    return []
  } catch (error) {
    if (error instanceof ActionError) return error.message.split('\n')
    throw error
  }
}
