import { runAutomation } from '../actions/run.ts'
import { connectOverHttp } from '../actions/connect.ts'
import type { Conclusion } from '../execution/conclusion.ts'
import { ActionError } from '../messages/notice.ts'
import { CutShort } from '../messages/cut-short.ts'
import { readRunInputs } from '../runner/inputs/read.ts'
import { performStep } from '../runner/step.ts'

export const performRun = () =>
  performStep({
    read: readRunInputs,
    act: (inputs, step) => runAutomation(inputs, step, connectOverHttp),
    outputsAfter: (error, cause) => ({ conclusion: conclusionAfter(error), cause }),
  })

function conclusionAfter(error: unknown): Conclusion {
  if (error instanceof CutShort) return error.conclusion
  // Any other ActionError is thrown before a start. After any other error, a run may exist.
  return error instanceof ActionError ? 'not-started' : 'unknown'
}
