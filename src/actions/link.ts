/** Reports the link from `dashboard-url` as soon as the id of the run is known. */
import type { Step } from '../runner/step.ts'

/** Undefined if there is no run, or no longer this one. Does nothing without `dashboard-url`. */
export type ReportLink = (executionId: string | undefined) => void

/** `target`: empty in `wait`, whose `dashboard-url` has no other placeholders than the id. */
export function linkReporter(
  dashboardUrl: string | undefined,
  target: { project?: string; automation?: string },
  { outputs, log }: Pick<Step, 'outputs' | 'log'>,
): ReportLink {
  return (executionId) => {
    if (dashboardUrl === undefined) return
    if (executionId === undefined) {
      outputs.set('execution-url', '')
      return
    }
    const { project = '', automation = '' } = target
    const values = new Map([
      ['{execution-id}', executionId],
      ['{project}', project],
      ['{automation}', automation],
    ])
    const link = dashboardUrl.replace(/\{[^{}]*\}/g, (name) =>
      encodeURIComponent(values.get(name) ?? ''),
    )
    outputs.set('execution-url', link)
    log.info(`Run: ${link}`)
  }
}
