/**
 * Collects the parts of a step that the code in `src/execution` needs, for example the service, the
 * clock and the check of results.
 */
import type { CheckResult, SharedCollaborators } from '../execution/follow-execution.ts'
import { wholeProblem } from '../execution/result-problems.ts'
import { showProblems } from '../messages/result-problems.ts'
import type { ResultSchema } from '../runner/result-schema/compiled-schema.ts'
import type { Step } from '../runner/step.ts'
import { removeStepFolder } from '../runner/step-folder.ts'
import type { Connections } from './connect.ts'
import { readLogEnd } from './file-ends.ts'

export function collaboratorsIn(
  step: Step,
  { service, store }: Connections,
  schema: ResultSchema | undefined,
  publishing: { printResult: boolean },
  checksEnd?: AbortSignal,
): SharedCollaborators {
  const { clock, random, cancelled, secrets } = step
  return {
    service,
    store,
    clock,
    random,
    cancelled,
    removeFolder: removeStepFolder,
    readLogEnd: (file, limit) => readLogEnd(file, limit, secrets),
    checkResult: checkingWith(schema, publishing, step, checksEnd),
  }
}

/** Logs the formats of a schema that are not checked, because a typo looks like a format. */
export function logUnknownFormats(
  schema: ResultSchema | undefined,
  { log, secrets }: Pick<Step, 'log' | 'secrets'>,
): void {
  const names = schema?.unknownFormats ?? []
  if (names.length === 0) return
  log.info(`result-schema: not checked, because unknown: format ${secrets.words(names.join(', '))}`)
}

/**
 * Returns the function that checks a result, or undefined if there is no schema. A result that
 * could not be fetched is not checked, because it fails the step anyway. All checks end when the
 * signal `until` aborts.
 */
function checkingWith(
  schema: ResultSchema | undefined,
  { printResult }: { printResult: boolean },
  { secrets, cancelled }: Step,
  until?: AbortSignal,
): CheckResult | undefined {
  if (!schema) return undefined
  return async ({ result }) => {
    if (result.kind === 'unavailable') return undefined
    const found =
      result.kind === 'file'
        ? await schema.check(result.path, cancelled, until)
        : wholeProblem(notKept)
    if (!found || 'notValidated' in found) return found
    return showProblems(found, secrets, printResult)
  }
}

const notKept = "the automation isn't set to keep it (switch keeping on in the service's dashboard)"
