/** What the following of executions takes from the step and its connections, of one run and of many. */
import type { RetryCollaborators } from '../execution/retries.ts'
import type { Step } from '../runner/step.ts'
import { removeStepFolder } from '../runner/workspace.ts'
import type { Connections } from './connect.ts'
import { readLogEnd } from './file-ends.ts'
import { checkingWith, type Checker } from './result-check.ts'

export function collaboratorsIn(
  { clock, random, cancelled, secrets }: Step,
  { service, store }: Connections,
  checker: Checker | undefined,
): Omit<RetryCollaborators, 'makeFolder'> {
  return {
    service,
    store,
    clock,
    random,
    cancelled,
    removeFolder: removeStepFolder,
    readLogEnd: (file, limit) => readLogEnd(file, limit, secrets),
    checkResult: checker && checkingWith(checker),
  }
}
