/** Checks what a run left, where the workflow has a schema for it. */
import type { CheckResult } from '../execution/follow-execution.ts'
import { wholeProblem } from '../execution/result-problems.ts'
import { showProblems } from '../messages/result-problems.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import type { ResultChecker } from '../runner/result-schema/checker.ts'
import type { Step } from '../runner/step.ts'

/** Checks results by one schema; see {@link ResultChecker}. */
export type Checker = Pick<ResultChecker, 'check' | typeof Symbol.dispose>

/** Undefined without a schema; then nothing is loaded. */
export type OpenChecker = (
  schema: string | undefined,
  waiting: Pick<RunInputs['waiting'], 'failOn'>,
  step: Step,
) => Promise<Checker | undefined>

export const openChecker: OpenChecker = async (schema, { failOn }, step) => {
  if (schema === undefined) return undefined
  const { ResultChecker, workerFileIn } = await import('../runner/result-schema/checker.ts')
  if (!failOn.has('invalid-result')) step.log.note('invalid-result-passes', {})
  const { bundleFolder, clock, cancelled } = step
  return new ResultChecker(schema, { workerFile: workerFileIn(bundleFolder), clock, cancelled })
}

/**
 * Of a result that was kept and could not be fetched nothing is known: it fails the step as it is.
 * Undefined without a checker. `until`: see {@link ResultChecker}.
 */
export function checkingWith(
  checker: Checker | undefined,
  { printResult }: { printResult: boolean },
  { secrets }: Step,
  until?: AbortSignal,
): CheckResult | undefined {
  if (!checker) return undefined
  return async ({ result }) => {
    if (result.kind === 'unavailable') return undefined
    const problems =
      result.kind === 'file' ? await checker.check(result.path, until) : wholeProblem(notKept)
    return problems && showProblems(problems, secrets, printResult)
  }
}

const notKept =
  "there is none, since the automation isn't set to keep it (switch that on in the service's dashboard)"
