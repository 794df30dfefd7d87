/** What a step finds in its environment: its inputs' texts, its workspace. */
import path from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

/** One input's text exactly as the runner hands it over: trimming is each schema's own matter. */
export function readText(environment: Environment, name: string): string | undefined {
  return environment[`INPUT_${name.toUpperCase()}`]
}

/** The folder that relative paths mean: the checkout, where there is one. */
export function workspaceOf(environment: Environment): string {
  return path.resolve(environment['GITHUB_WORKSPACE'] ?? '')
}
