/** What an action declares of its inputs, and how that is read from the environment. */
import { z } from 'zod/mini'
import { readText, workspaceOf, type Environment } from './environment.ts'
import { secretsIn, type InputField } from './secret.ts'
import { ActionError } from '../../messages/annotation.ts'
import { headingOf } from '../../messages/catalogue.ts'

/** The inputs of one concern, keyed by their names in `action.yml`, and the value they make. */
export type InputGroup = z.ZodMiniPipe<z.ZodMiniObject, z.ZodMiniType>
export type InputGroups = Record<string, InputGroup>

/** All inputs of an action. */
export interface InputDeclaration<Groups extends InputGroups = InputGroups> {
  /** `workspace`: the folder that paths are relative to. `bundleFolder`: of the running bundle. */
  groups: (workspace: string, bundleFolder: string) => Groups
  /** What has not happened when inputs are wrong, for the hint. */
  untouched: string
}

export type ValuesOf<Groups extends InputGroups> = {
  [Name in keyof Groups]: z.output<Groups[Name]>
}

/** The inputs of a step: what is to be masked of them at once, and their values once parsed. */
export interface StepInputs<Groups extends InputGroups> {
  secrets: ReturnType<typeof secretsIn>
  /** @throws InputError with all problems of all inputs, in the order of the inputs. */
  parse: () => Promise<ValuesOf<Groups>>
}

/** The fields of a group, with their texts. */
export function fieldsOf(group: InputGroup, environment: Environment = {}): InputField[] {
  return Object.entries<z.core.$ZodType>(group._zod.def.in.shape).map(([name, schema]) => {
    return { name, schema, text: readText(environment, name) }
  })
}

export function openInputs<Groups extends InputGroups>(
  { groups: groupsIn, untouched }: InputDeclaration<Groups>,
  environment: Environment,
  bundleFolder = '',
): StepInputs<Groups> {
  const groups = groupsIn(workspaceOf(environment), bundleFolder)
  const fields = Object.values(groups).flatMap((group) => fieldsOf(group, environment))
  return {
    secrets: secretsIn(fields),
    parse: async () => {
      const parsed = await z.object(groups).safeParseAsync(textsOf(groups, environment))
      if (parsed.success) return parsed.data as ValuesOf<Groups>
      throw new InputError(problemsOf(parsed.error, fields), untouched)
    },
  }
}

function textsOf(groups: InputGroups, environment: Environment) {
  return Object.fromEntries(
    Object.entries(groups).map(([key, group]) => [
      key,
      Object.fromEntries(fieldsOf(group, environment).map(({ name, text }) => [name, text])),
    ]),
  )
}

/** In the order of the inputs. An issue's path is the group, then the input. */
function problemsOf({ issues }: z.core.$ZodError, fields: readonly InputField[]): InputProblem[] {
  const indexOf = (input: string) => fields.findIndex(({ name }) => name === input)
  return issues
    .map(({ path, message }) => ({ input: String(path[1]), problem: message }))
    .toSorted((one, other) => indexOf(one.input) - indexOf(other.input))
}

/** One problem of one input, which is named as `action.yml` spells it. */
export interface InputProblem {
  input: string
  /** What was expected and what was found, without the value of a secret. */
  problem: string
}

/** All problems of all inputs, reported at once and before any request is made. */
export class InputError extends ActionError {
  override readonly name = 'InputError'
  readonly problems: readonly InputProblem[]

  /** `untouched`: what has not happened, for the hint. */
  constructor(problems: readonly InputProblem[], untouched = 'nothing was started') {
    super(problems.map(({ input, problem }) => `${input}: ${problem}`).join('\n'), {
      ...headingOf(problems.length === 1 ? 'input-wrong' : 'inputs-wrong', {}),
      hint: `Fix the inputs of this step; ${untouched}.`,
    })
    this.problems = problems
  }
}
