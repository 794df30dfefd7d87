/** Checks what a batch reports about its runs. */
import { whyWrong } from './check-conclusion.ts'
import { checkFiles } from './check-leaks.ts'
import type { FinishedStep } from './finished-step.ts'
import { checkNone, type Violation } from './invariants.ts'
import { isAccepted, isUnclear } from './traffic.ts'
import type { Row } from './batch-files.ts'

/** Checks the row of a run. `view` is the view of this run, and `step` is the whole batch. */
export function checkRow(row: Row, view: FinishedStep, step: FinishedStep): Violation[] {
  const kept = ({ result_file: result, log_file: log }: Row) => ({
    result: result === null ? undefined : step.files.batch?.kept.get(result),
    log: log === null ? undefined : step.files.batch?.kept.get(log),
  })
  const files = { ...view.files, ...kept(row), leftovers: [] }
  const why = whyWrongRow(row, view)
  const unreported = unreportedIn(row, view)
  return [
    ...checkNone(
      'conclusions that contradict the service',
      why === undefined ? [] : [`run ${row.number}, ${row.conclusion}: ${why}`],
    ),
    ...checkNone('executions of a batch that are not reported', unreported),
    ...checkFiles({ ...view, files }),
  ]
}

function whyWrongRow({ conclusion }: Row, view: FinishedStep): string | undefined {
  const { traffic, plan } = view
  const starts = traffic.of('start')
  if (conclusion === 'not-started' || conclusion === 'refused') {
    const began = starts.some(({ seen }) => isAccepted(seen) || isUnclear(seen))
    return began ? 'a run may exist' : undefined
  }
  const last = starts.at(-1)?.seen
  if (last && isUnclear(last)) return conclusion === 'unknown' ? undefined : 'a run may exist'
  // With `timeout: 0s`, a run may time out before its first check.
  if (conclusion === 'timed-out' && plan.timeout === 0) return undefined
  return whyWrong(conclusion, view)
}

/**
 * Returns ids that the step knew and did not report. The log must contain all ids that it does not
 * escape. The results must contain the newest id of each run, and no id of another run.
 */
function unreportedIn(
  { execution_id: id }: Row,
  { traffic, context, run }: FinishedStep,
): string[] {
  const { service } = context
  const starts = traffic.of('start')
  const known = starts.flatMap(({ seen }) => (isAccepted(seen) ? (seen.executionId ?? []) : []))
  const last = starts.at(-1)?.seen
  const isLastAccepted = last !== undefined && isAccepted(last)
  const foreign = id !== null && !service.executions.find(id) ? [`${id} of another run`] : []
  return [
    ...known.filter((one) => run.recorded.hides(one)),
    ...(isLastAccepted && id !== known.at(-1) ? [`${known.at(-1)} in the results`] : []),
    ...foreign,
  ]
}
