/** Composes the failure of a step if the result or the outputs are missing. */
import { StoreStatusError } from '../download/store.ts'
import { isDiskFull } from '../errors.ts'
import { lostResultOf, type End } from '../execution/report.ts'
import { isUnreached, refusesCredentials } from '../service/service-errors.ts'
import { capitalised, checkCredentials, takeUp } from './advice.ts'
import { because, type Failure } from './failure.ts'
import { diskFull, onceWritable } from './notice.ts'

/** An output of a batch that is missing, or whose file is missing, and the reason. */
export interface LostFile {
  output: string
  why: string
}

/**
 * Returns the failure if the kept result of a successful run is missing, or if outputs are missing.
 * `outputsLost` says why outputs could not be written. Undefined if nothing is missing.
 */
export function failureOfLoss(
  end: Extract<End, { executionId: string }>,
  outputsLost: string | undefined,
  rerunTakesOver: boolean,
): Failure | undefined {
  const again = takeUp(end.executionId, rerunTakesOver)
  const lost = lostResultOf(end)
  if (lost) {
    const { why, failure } = lost
    const what = isDiskFull(failure)
      ? `${diskFull.why} The run succeeded, but its result could not be written`
      : 'The run succeeded and its result was kept, but the result could not be downloaded'
    return {
      title: 'result-not-fetched',
      why: [`${what}${because(why)}.`],
      next: refusesCredentials(failure)
        ? checkCredentials(end.executionId)
        : fetchAgain(failure, again),
    }
  }
  if (outputsLost === undefined) return undefined
  return {
    title: 'outputs-not-written',
    why: [`Not all outputs of this step could be written${because(outputsLost)}.`],
    next: `${onceWritable(outputsLost)} ${again}`,
  }
}

/** Returns the advice after a failed download. `failure` is the error behind the failure. */
function fetchAgain(failure: unknown, again: string): string {
  if (failure instanceof StoreStatusError && [404, 410].includes(failure.status)) {
    return 'The store no longer has this result, and another try finds nothing. If you need it, start a new run.'
  }
  if (isDiskFull(failure)) return `${diskFull.cure}; then ${again}`
  if (isUnreached(failure) && failure.host) {
    return `Check that this runner can reach ${failure.host} (firewall, proxy), then ${again}`
  }
  return capitalised(again)
}
