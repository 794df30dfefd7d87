/** What the following of executions takes from the step and its connections, of one run and of many. */
import type { RetryCollaborators } from '../execution/retries.ts'
import type { Step } from '../runner/step.ts'
import { removeStepFolder } from '../runner/workspace.ts'
import type { Connections } from './connect.ts'
import { readLogEnd } from './file-ends.ts'
import { checkingWith, type Checker } from './result-check.ts'

export function collaboratorsIn(
  step: Step,
  { service, store }: Connections,
  checker: Checker | undefined,
  publishing: { printResult: boolean },
  checksEnd?: AbortSignal,
): Omit<RetryCollaborators, 'makeFolder'> {
  const { clock, random, cancelled, secrets } = step
  return {
    service,
    store,
    clock,
    random,
    cancelled,
    removeFolder: removeStepFolder,
    readLogEnd: (file, limit) => readLogEnd(file, limit, secrets),
    checkResult: checkingWith(checker, publishing, step, checksEnd),
  }
}
