/** Never leaked, never obeyed, never altered. */
import type { Evidence } from './evidence.ts'
import { unless, type Offence } from './offence.ts'
import { findForgedCommand } from './recording.ts'
import { findSecret, type Secret } from './secrets.ts'

export function judgeLeaks(evidence: Evidence): Offence[] {
  const { performance, files } = evidence
  const { recording } = performance
  const secrets = knownSecrets(evidence)
  const leak = [...recording.texts(), ...files.ours].find((text) => findSecret(text, secrets))
  const forged = findForgedCommand(recording.lines)
  return [
    ...unless(leak === undefined, 'secrets in any output', excerpt(leak ?? '', secrets)),
    ...unless(forged === undefined, 'commands of strangers in the log', forged ?? ''),
    ...judgeFiles(evidence),
  ]
}

/** What this step knows to be secret; `wait` knows nothing of a webhook. */
function knownSecrets({ plan, world }: Evidence): Secret[] {
  const { apiToken, apiKey, header, password } = world.caller
  const starts = plan.action === 'run' || plan.action === 'start'
  return [apiToken, apiKey, ...(starts ? [header, password] : []), ...world.service.signatures]
}

function judgeFiles({ files, world }: Evidence): Offence[] {
  const { result, log } = world.objects
  const isFaithful = (bytes: Buffer | undefined, versions: readonly Buffer[] = []) =>
    bytes === undefined || versions.some((version) => version.equals(bytes))
  const zero = 'files that differ from the stored ones'
  return [
    ...unless(isFaithful(files.result, result?.versions), zero, 'the result'),
    ...unless(isFaithful(files.copy, result?.versions), zero, 'the copy of the result'),
    ...unless(isFaithful(files.log, log?.versions), zero, 'the log'),
    ...unless(files.rests.length === 0, zero, `left behind: ${files.rests.join(', ')}`),
  ]
}

function excerpt(text: string, secrets: readonly Secret[]): string {
  const found = findSecret(text, secrets)
  if (!found) return ''
  const { core } = found
  const at = Math.max(text.indexOf(core.slice(0, 10)), text.indexOf(core.slice(-10)))
  return `…${text.slice(Math.max(0, at - 60), at + 60)}…`
}
