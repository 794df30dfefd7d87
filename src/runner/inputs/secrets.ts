/** The inputs that contain secrets. */
import { inputText, type Environment } from '../environment.ts'
import { findAddressSecrets } from './addresses.ts'
import { findHeaderSecrets } from './webhook-headers.ts'

/** Each input whose text contains secrets, with a function that returns the secret parts. */
export const secretInputs: Readonly<Record<string, (text: string) => string[]>> = {
  'api-token': wholeText,
  'api-key': wholeText,
  'github-token': wholeText,
  webhook: findAddressSecrets,
  'webhook-headers': findHeaderSecrets,
}

/**
 * Returns the secrets in the inputs of a step. Reads the texts of the environment, because secrets
 * are masked before the inputs are read.
 */
export function secretsIn(environment: Environment): string[] {
  return Object.entries(secretInputs).flatMap(([name, find]) => find(inputText(environment, name)))
}

function wholeText(text: string): string[] {
  return [text]
}
