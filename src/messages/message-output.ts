import { cutBytes } from '../cut.ts'
import type { Secrets } from './text/secrets.ts'

// The words are the service's, which could fill what a job may carry of outputs.
const longestMessage = 4 * 1024

/** The output `message`: what people may see of it, or the beginning of that. */
export function messageOutput(message: string, { secrets }: { secrets: Secrets }): string {
  // Redact before truncating: a truncated secret no longer matches.
  return cutBytes(secrets.show(message), longestMessage)
}
