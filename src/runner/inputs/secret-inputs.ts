/** The inputs that contain secrets. */
import { findWebhookSecrets } from '../../messages/text/address-secrets.ts'
import type { Secrets } from '../../messages/text/secrets.ts'
import { inputText, type Environment } from '../environment.ts'
import { findHeaderSecrets } from './webhook-headers.ts'

/** Each input whose text contains secrets, with a function that returns the secret parts. */
export const secretInputs: Readonly<Record<string, (text: string) => string[]>> = {
  'api-token': wholeText,
  'api-key': wholeText,
  'github-token': wholeText,
  webhook: findWebhookSecrets,
  'webhook-headers': findHeaderSecrets,
}

/**
 * Adds the secrets in the inputs of a step. Reads the texts of the environment, because secrets are
 * masked before the inputs are read.
 */
export function addSecretsOf(environment: Environment, secrets: Secrets): void {
  for (const [name, find] of Object.entries(secretInputs)) {
    secrets.add(...find(inputText(environment, name)))
  }
  // A mask of the whole address would hide its host in other addresses of the job.
  const webhook = inputText(environment, 'webhook')
  if (URL.canParse(webhook)) secrets.hide(webhook)
}

function wholeText(text: string): string[] {
  return [text]
}
