/** Checks that no text shows a secret or has a forged command, and that files are unchanged. */
import type { FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'
import { findForgedCommand } from './step-record.ts'
import { findSecret, type Secret } from './secrets.ts'

export function checkTexts(step: FinishedStep): Violation[] {
  const { run, files } = step
  const { recorded } = run
  const secrets = knownSecrets(step)
  const leak = [...recorded.texts(), ...files.composed].find((text) => findSecret(text, secrets))
  const forged = findForgedCommand(recorded.lines)
  return [
    ...check(leak === undefined, 'secrets shown', excerpt(leak ?? '', secrets)),
    ...check(forged === undefined, 'untrusted workflow commands in the log', forged ?? ''),
  ]
}

/** Returns the secrets that the step must hide. Only actions that start runs get a webhook. */
function knownSecrets({ plan, context }: FinishedStep): Secret[] {
  const { apiToken, apiKey, header, password, githubToken } = context.caller
  const starts = plan.action !== 'wait' && plan.action !== 'create-project'
  const services = [context, ...context.runs].map(({ service }) => service)
  const signatures = services.flatMap((service) => service.signatures)
  return [apiToken, apiKey, githubToken, ...(starts ? [header, password] : []), ...signatures]
}

export function checkFiles({ files, context }: FinishedStep): Violation[] {
  const { result, log } = context.objects
  const isFaithful = (bytes: Buffer | undefined, versions: readonly Buffer[] = []) =>
    bytes === undefined || versions.some((version) => version.equals(bytes))
  const invariant = 'files that differ from the stored files'
  return [
    ...check(isFaithful(files.result, result?.versions), invariant, 'the result'),
    ...check(isFaithful(files.log, log?.versions), invariant, 'the log'),
    ...check(files.leftovers.length === 0, invariant, `left behind: ${files.leftovers.join(', ')}`),
  ]
}

function excerpt(text: string, secrets: readonly Secret[]): string {
  const found = findSecret(text, secrets)
  if (!found) return ''
  const { core } = found
  const at = Math.max(text.indexOf(core.slice(0, 10)), text.indexOf(core.slice(-10)))
  return `…${text.slice(Math.max(0, at - 60), at + 60)}…`
}
