import { InputError, type InputProblem } from '../../errors.ts'
import { z } from 'zod'
import { explainMissingSecrets } from './missing-secret.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The inputs of one concern, keyed by their names in `action.yml`, and the value they make. */
export type InputGroup = z.ZodPipe<z.ZodObject, z.ZodType>

/** One input's text exactly as the runner hands it over: trimming is each schema's own matter. */
export function readText(environment: Environment, name: string): string | undefined {
  return environment[`INPUT_${name.toUpperCase()}`]
}

/** The folder that relative paths mean: the checkout, where there is one. */
export function workspaceOf(environment: Environment): string {
  const workspace = environment['GITHUB_WORKSPACE'] ?? ''
  return workspace === '' ? process.cwd() : workspace
}

/** The names of a group's inputs, as `action.yml` spells them. */
export function inputNames(group: InputGroup): string[] {
  return Object.keys(group.in.shape)
}

/**
 * Reads and parses the inputs of several groups.
 *
 * @param untouched what has not happened when inputs are wrong, where that is no start.
 * @throws InputError with all problems of all inputs, in the order of the inputs.
 */
export async function readGroups<Groups extends Record<string, InputGroup>>(
  groups: Groups,
  environment: Environment,
  untouched?: string,
): Promise<{ [Name in keyof Groups]: z.output<Groups[Name]> }> {
  const texts = Object.entries(groups).map(([key, group]) => [
    key,
    Object.fromEntries(inputNames(group).map((name) => [name, readText(environment, name)])),
  ])
  const parsed = await z.object(groups).safeParseAsync(Object.fromEntries(texts))
  if (parsed.success) return parsed.data as { [Name in keyof Groups]: z.output<Groups[Name]> }
  const order = Object.values(groups).flatMap(inputNames)
  const problems = parsed.error.issues
    .map(problemOf)
    .toSorted((one, other) => order.indexOf(one.input) - order.indexOf(other.input))
  throw new InputError(explainMissingSecrets(problems, environment), untouched)
}

/** An issue's path is the group, then the input. */
function problemOf({ path, message }: z.core.$ZodIssue): InputProblem {
  return { input: String(path[1]), problem: message }
}
