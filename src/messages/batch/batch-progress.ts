/** Composes the log lines about the progress and the end of a batch. */
import type { BatchCounts, BatchSnapshot } from '../../execution/batch/batch-types.ts'
import type { Category } from '../../execution/conclusion.ts'
import { describeCount, describeElapsed } from '../quantities.ts'
import type { BatchEnd } from './end.ts'

/** Returns a log line. `waited` is the time since the batch began, in milliseconds. */
export function describeBatchProgress(
  { counts, running, kept, waiting, pauses }: BatchSnapshot,
  waited: number,
): string {
  const finished = counts.total - waiting - running
  const parts = [
    `${finished} of ${counts.total} finished${finished === 0 ? '' : ` (${describeCounts(counts)})`}`,
    `${running} running`,
    ...(kept > 0 ? [`${describeCount(kept, 'slot')} kept for starts without a clear answer`] : []),
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
  ]
  const held = (['starts', 'checks'] as const)
    .filter((what) => pauses[what] > 0)
    .map((what) => `; no ${what} for ${describeElapsed(pauses[what])}`)
  return `After ${describeElapsed(waited)}: ${parts.join(', ')}${held.join('')}`
}

/** Returns the first log line of a batch: its automation, its seeds and its limits. */
export function describeBatchStart(
  { project, automation }: { project: string; automation: string },
  seeds: number,
  maxParallel: number,
  timeout: number,
): string {
  const count = describeCount(seeds, 'seed')
  const pace = `${maxParallel} at once, for at most ${describeElapsed(timeout)}`
  return `Automation ${automation} of project ${project}, ${count}, ${pace}`
}

const countWords: Readonly<Record<Category, string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  unknown: 'unknown',
  unfinished: 'unfinished',
  notStarted: 'not started',
}

/** Counts the runs of each category that has runs, such as `186 succeeded, 12 failed`. */
export function describeCounts(counts: BatchCounts): string {
  const all = Object.keys(countWords) as Category[]
  const present = all.filter((category) => counts[category] > 0)
  return present.map((category) => `${counts[category]} ${countWords[category]}`).join(', ')
}

/** Returns the final log line of a step that passes. */
export function describeBatchEnd(
  end: Pick<BatchEnd, 'automation' | 'counts' | 'duration'>,
): string {
  const { automation, counts, duration } = end
  const { total, succeeded } = counts
  const span = `after ${describeElapsed(duration)}`
  if (total === 0) return `${automation}: nothing to run`
  const all = total === 1 ? 'the only run' : `all ${total} runs`
  if (succeeded === total) return `${automation}: ${all} succeeded ${span}`
  return `${automation}: ${describeCount(total, 'run')} ended ${span}: ${describeCounts(counts)}, allowed by fail-on`
}
