/** The inputs that say what to start, and with what. */
import { z } from 'zod'
import { findAddressSecrets, webhookAddress } from './address.ts'
import { leaveOutAbsent } from './given.ts'
import { findHeaderSecrets } from './header-secrets.ts'
import { pathSegment } from './names.ts'
import { secret } from './secret.ts'
import { seedFile } from './seed-file.ts'
import { seedText } from './seed.ts'
import { optional } from './text.ts'
import { webhookHeaders } from './webhook-headers.ts'

export function start(workspace: string) {
  return z
    .object({
      project: pathSegment,
      automation: pathSegment,
      seed: optional(seedText),
      'seed-file': optional(seedFile(workspace)),
      webhook: secret(optional(webhookAddress), findAddressSecrets),
      'webhook-headers': secret(optional(webhookHeaders), findHeaderSecrets),
    })
    .refine(hasOneSeedAtMost, {
      path: ['seed-file'],
      error: 'given together with seed, and a run takes one; remove seed or seed-file',
      // Told whatever is wrong with either: one of the two has to go in any case.
      when: () => true,
    })
    .transform((given) =>
      leaveOutAbsent({
        project: given.project,
        automation: given.automation,
        seed: given.seed ?? given['seed-file'],
        webhook: given.webhook,
        webhookHeaders: given['webhook-headers'],
      }),
    )
}

interface Seeds {
  seed?: string | undefined
  'seed-file'?: string | undefined
}

function hasOneSeedAtMost({ seed, 'seed-file': file }: Seeds): boolean {
  return seed === undefined || file === undefined
}
