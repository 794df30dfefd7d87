import { cutBytes } from '../cut.ts'
import type { Secrets } from './text/secrets.ts'

// The words are the service's, which could fill what a job may carry of outputs.
const longestMessage = 4 * 1024

/** The output `message`: as it came, or its beginning; before a cut, secrets are taken out of it. */
export function messageOutput(message: string, { secrets }: { secrets: Secrets }): string {
  if (Buffer.byteLength(message) <= longestMessage) return message
  return cutBytes(secrets.redact(message), longestMessage)
}
