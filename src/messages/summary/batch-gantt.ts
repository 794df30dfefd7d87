/** Draws a Mermaid chart that shows when the runs of a batch ran and how they ended. */
import type { Category } from '../../execution/conclusion.ts'
import type { BatchReport } from '../../execution/batch/batch-types.ts'
import { categoryOf } from '../batch/runs.ts'

const minBars = 2
const maxBars = 100

/**
 * Returns the chart, or nothing if fewer than two runs were started. The chart contains no
 * untrusted names. `duration` is the duration of the batch in milliseconds. The bars of unfinished
 * runs end at the end of the batch.
 */
export function renderGantt({ rows, startedOn, duration }: BatchReport): string[] {
  const started = rows.filter(({ startedAt }) => startedAt !== undefined)
  if (started.length < minBars) return []
  const runs = started.slice(0, maxBars)
  const bars = runs.map((run) => {
    const from = Math.max(0, run.startedAt ?? 0)
    return { run, from, span: run.duration ?? Math.max(0, duration - from) }
  })
  const chart = [
    '```mermaid',
    'gantt',
    // Times are epoch milliseconds. The axis shows the time of day in the reader's time zone.
    '    dateFormat x',
    '    axisFormat %H:%M:%S',
    ...bars.map(({ run, from, span }) => {
      const start = Math.round(startedOn.getTime() + from)
      // Mermaid does not draw a bar of length 0.
      const length = Math.max(1, Math.round(span))
      return `    ${run.number} ${run.facts.conclusion} :${tags[categoryOf(run)]}, ${start}, ${length}ms`
    }),
    '```',
  ]
  const which = runs.length === started.length ? 'the runs' : `the first ${runs.length} runs`
  const title = `When ${which} ran, by number (grey: succeeded, red: failed or unknown, blue: unfinished)`
  return [`<details><summary>${title}</summary>`, chart.join('\n'), '</details>']
}

const tags: Readonly<Record<Category, string>> = {
  succeeded: 'done',
  failed: 'crit',
  unknown: 'crit',
  unfinished: 'active',
  notStarted: 'active',
}
