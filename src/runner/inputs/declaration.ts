/** Declares the inputs of an action and reads them from the environment. */
import { z } from 'zod/mini'
import { inputText, workspaceOf, type Environment } from '../environment.ts'
import { secretsIn, type InputField } from './secret.ts'
import { ActionError } from '../../messages/annotation.ts'
import { headingOf } from '../../messages/catalogue.ts'

/** A schema that parses related inputs into one value. The schema's keys are the input names. */
type InputGroup = z.ZodMiniPipe<z.ZodMiniObject, z.ZodMiniType>
export type InputGroups = Record<string, InputGroup>

/** Declares all inputs of an action. `workspace`: the folder that relative paths start from. */
export type InputDeclaration<Groups extends InputGroups = InputGroups> = (
  workspace: string,
  bundleFolder: string,
) => Groups

export type ValuesOf<Groups extends InputGroups> = {
  [Name in keyof Groups]: z.output<Groups[Name]>
}

/** The inputs of a step. The secrets must be masked before the values are parsed. */
interface StepInputs<Groups extends InputGroups> {
  secrets: string[]
  /** @throws ActionError with the problems of all inputs, in the order of the inputs. */
  parse: () => Promise<ValuesOf<Groups>>
}

/** Returns the inputs of a group with their texts from the environment. */
export function fieldsOf(group: InputGroup, environment: Environment): InputField[] {
  return Object.entries<z.core.$ZodType>(group._zod.def.in.shape).map(([name, schema]) => {
    return { name, schema, text: inputText(environment, name) }
  })
}

export function openInputs<Groups extends InputGroups>(
  declare: InputDeclaration<Groups>,
  environment: Environment,
  bundleFolder: string,
): StepInputs<Groups> {
  const groups = declare(workspaceOf(environment), bundleFolder)
  const fields = Object.values(groups).flatMap((group) => fieldsOf(group, environment))
  return {
    secrets: secretsIn(fields),
    parse: async () => {
      const parsed = await z.object(groups).safeParseAsync(textsOf(groups, environment))
      if (parsed.success) return parsed.data as ValuesOf<Groups>
      throw new ActionError(inOrder(parsed.error.issues.map(problemOf), fields).join('\n'), {
        ...headingOf('input-wrong', {}),
        hint: 'Fix the inputs of this step; nothing was sent.',
      })
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

interface InputProblem {
  name: string
  message: string
}

/** The path of a zod issue contains the name of the group, then the name of the input. */
function problemOf({ path, message }: z.core.$ZodIssue): InputProblem {
  return { name: String(path[1]), message }
}

/** Returns one line for each problem, in the order of the inputs. */
function inOrder(problems: readonly InputProblem[], fields: readonly InputField[]): string[] {
  return fields.flatMap(({ name }) =>
    problems.filter((problem) => problem.name === name).map(({ message }) => `${name}: ${message}`),
  )
}
