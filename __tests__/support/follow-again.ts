import type { Follow } from '../../src/execution/batch/batch.ts'
import { followExecution } from '../../src/execution/follow-execution.ts'

/** Retries in their simplest form, as a batch sees them: no limits but their number, pauses of 1 s. */
export const followAgain: Follow = async (given, collaborators, listener) => {
  const { clock } = collaborators
  const plan = { ...given }
  for (let rest = plan.retries; ; rest--) {
    const isDue = (conclusion: string) =>
      rest > 0 && [...plan.retryOn].includes(conclusion as never)
    const report = await followExecution(plan, collaborators, {
      ...listener,
      onEnding: (ended) => {
        listener.onEnding(ended)
        if (!isDue(ended.conclusion)) listener.onSettled(ended)
      },
    })
    if (!isDue(report.conclusion)) return report
    listener.onRetry(report, 1_000)
    await clock.sleep(1_000)
    plan.begin = plan.request
  }
}
