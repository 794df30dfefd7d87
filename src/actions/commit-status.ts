/** Shows on a commit how a run stands, where that is asked for. */
import { messageOf } from '../errors.ts'
import type { StatusFacts } from '../messages/commit-status.ts'
import type { loadGithubClient } from '../runner/commit-status/load-client.ts'
import type { CommitStatusInputs } from '../runner/inputs/commit-status.ts'
import type { Step } from '../runner/step.ts'

/**
 * Never rejects: what goes wrong is a warning, and changes no verdict. `action`: for the
 * User-Agent. `load`: loads GitHub's client; the product's own way where it is left out.
 */
export async function setCommitStatus(
  given: CommitStatusInputs,
  action: 'start' | 'wait',
  facts: StatusFacts,
  step: Step,
  load?: typeof loadGithubClient,
): Promise<void> {
  if (!given) return
  try {
    const { putCommitStatus } = await import('./put-commit-status.ts')
    await putCommitStatus(given, action, facts, step, load)
  } catch (error) {
    const { secrets, log } = step
    const why = secrets.words(messageOf(error))
    const hint = 'The outcome of this step stands.'
    log.note('commit-status-not-set', { context: secrets.words(given.context), why, hint })
  }
}
