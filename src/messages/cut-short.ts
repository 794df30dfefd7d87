/** Defines the error of a step that was cancelled and had no time to report its state. */
import type { Conclusion } from '../execution/conclusion.ts'
import { waitAction } from '../version.ts'
import { cancelledBefore } from './advice.ts'
import { ActionError } from './notice.ts'
import { headingOf } from './catalogue.ts'
import { describeCount } from './quantities.ts'

export class CutShort extends ActionError {
  override readonly name = 'CutShort'
  /** The conclusion of a step that has only one run. */
  readonly conclusion: Extract<Conclusion, 'not-started' | 'cancelled' | 'unknown'>

  /** `executionIds` contains the ids of all executions that the step knows, oldest first. */
  constructor(areInputsRead: boolean, executionIds: readonly string[]) {
    const { message, hint } = areInputsRead
      ? describeCutShort(executionIds.toReversed())
      : {
          message: 'The step was cancelled while it read its inputs. Nothing was sent.',
          ...cancelledBefore,
        }
    super(message, { ...headingOf('cut-short', {}), hint })
    if (!areInputsRead) this.conclusion = 'not-started'
    else this.conclusion = executionIds.length > 0 ? 'cancelled' : 'unknown'
  }
}

function describeCutShort([newest, ...older]: readonly string[]) {
  const message = 'The step was cancelled, and ended before it could report its state.'
  if (newest === undefined) {
    const hint =
      "Before you re-run this job, look in the service's dashboard for what this step started or created."
    return { message: `${message} It is not known whether a request was accepted.`, hint }
  }
  const hint = `A run may still be running. Fetch it with ${waitAction} and execution-id ${newest}.`
  if (older.length === 0) return { message: `${message} Its execution is ${newest}.`, hint }
  const others = describeCount(older.length, 'other id')
  return {
    message: `${message} Its newest execution is ${newest}. The log of this step has ${others}.`,
    hint,
  }
}
