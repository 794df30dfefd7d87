/** Declares the inputs for the run to start, the execution to wait for, or the new project. */
import { z } from 'zod/mini'
import { pathSegmentSchema, projectNamePattern } from '../../service/contract.ts'
import { findAddressSecrets, webhookAddress } from './connection.ts'
import { findHeaderSecrets } from './header-secrets.ts'
import { secret } from './secret.ts'
import { seedFile, seedText } from './seed.ts'
import { changed, lineOfText, named, notBoth, oneOf, optional, quote } from './text.ts'
import { webhookHeaders } from './webhook-headers.ts'

/** A name that becomes one segment of a URL path of the service. */
export const pathSegment = z.pipe(lineOfText, pathSegmentSchema)

/** The name of a project to create. The service checks names with the same pattern. */
export const projectName = pathSegment.check(
  z.refine((name) => projectNamePattern.test(name), {
    error: ({ input }) =>
      `expected lowercase letters, digits, hyphens and underscores, starting with a letter or a digit (${projectNamePattern.source}), found ${quote(String(input))}`,
  }),
)

const target = { project: pathSegment, automation: pathSegment }

/** The inputs for the webhook to which the service sends the result. */
const delivery = {
  webhook: secret(optional(webhookAddress), findAddressSecrets),
  'webhook-headers': secret(optional(webhookHeaders), findHeaderSecrets),
}

/** Declares the inputs for starting a single run. A batch reads its seeds from a list instead. */
export function start(workspace: string) {
  const fields = z.object({
    ...target,
    seed: optional(seedText),
    'seed-file': optional(seedFile(workspace)),
    ...delivery,
  })
  const rule = notBoth('seed', 'seed-file', 'a run takes one')
  return changed(fields.check(rule), (given) => {
    const { seedFile, ...request } = named(given)
    return { ...request, seed: request.seed ?? seedFile }
  })
}

export const batchTarget = changed(z.object(target), named)
export const batchDelivery = changed(z.object(delivery), named)

export const execution = changed(
  z.object({ 'execution-id': pathSegment }),
  (given) => given['execution-id'],
)

export const project = changed(
  z.object({ region: lineOfText, 'docker-version': lineOfText, name: projectName }),
  named,
)

export const ifExists = changed(
  z.object({ 'if-exists': oneOf(['fail', 'skip']) }),
  (given) => given['if-exists'],
)
