/** The memory of one step: what tells the step apart, and where its records are kept. */
import { describeFileProblem } from '../../messages/file-problem.ts'
import type { StartRequest } from '../../service/requests.ts'
import type { Again } from '../inputs/again.ts'
import type { Environment } from '../inputs/environment.ts'
import type { Step } from '../step.ts'
import type { Storage } from '../storage/step-storage.ts'
import { attemptOf } from '../workflow-run.ts'
import { countOccurrence, identityOf, type IdentityParts } from './identity.ts'
import { type Memory, openMemory, withoutMemory } from './memory.ts'

/** What a step starts, as far as that tells it from other steps. */
export interface StepSubject {
  start: Pick<StartRequest, 'project' | 'automation' | 'seed' | 'webhook'>
  again: Pick<Again, 'matrix' | 'rerunKey'>
  connection: { baseUrl: string }
}

/** Counts the step, so it must be called once in every step. Never rejects. */
export async function openStepMemory(
  subject: StepSubject,
  step: Step,
  storage: Storage,
): Promise<Memory> {
  try {
    const identity = await identifyStep(subject, step.environment)
    const { environment, log, secrets, clock, cancelled } = step
    return openMemory({ environment, log, secrets, clock, cancelled, identity, storage })
  } catch (error) {
    return withoutMemory(`RUNNER_TEMP cannot be used: ${describeFileProblem(error)}`, step.log)
  }
}

/** Counts the step. */
export async function identifyStep(
  subject: StepSubject,
  environment: Environment,
): Promise<string> {
  // Outside of GitHub there is no memory (memory.ts), and so nothing to tell apart.
  if (!environment['GITHUB_RUN_ID']) return ''
  const parts = partsOf(subject, environment)
  const place = {
    folder: environment['RUNNER_TEMP'] ?? '',
    runId: environment['GITHUB_RUN_ID'],
    attempt: String(attemptOf(environment)),
  }
  return identityOf(parts, await countOccurrence(identityOf(parts, 0), place))
}

function partsOf(
  { start, again, connection }: StepSubject,
  environment: Environment,
): IdentityParts {
  return {
    job: environment['GITHUB_JOB'] ?? '',
    matrix: again.matrix,
    step: environment['GITHUB_ACTION'] ?? '',
    baseUrl: connection.baseUrl,
    project: start.project,
    automation: start.automation,
    webhook: start.webhook ?? '',
    seed: start.seed ?? '',
    rerunKey: again.rerunKey,
  }
}
