/** The lines that tell of a batch on its way and at its end. */
import type { RunRecord } from '../../execution/batch/record.ts'
import type { BatchCounts } from '../../execution/batch/tally.ts'
import type { Category } from '../../execution/conclusion.ts'
import { waitAction } from '../../version.ts'
import { describeCount, describeElapsed } from '../quantities.ts'
import type { Show } from '../text/secrets.ts'
import { inline } from '../text/untrusted-text.ts'
import { nameRun, showRun } from './shown-run.ts'

/** A batch at one moment; `notStarted` are those that wait for their turn. Spans in milliseconds. */
export interface BatchProgress {
  counts: BatchCounts
  running: number
  waited: number
  /** Expected until the last run is over; undefined before any run has ended. */
  rest: number | undefined
}

export function describeBatchProgress({ counts, running, waited, rest }: BatchProgress): string {
  const { total, notStarted } = counts
  const over = total - notStarted - running
  const parts = [
    over === 0 ? `none of ${total} over` : `${over} of ${total} over (${describeCounts(counts)})`,
    `${running} running`,
    ...(notStarted > 0 ? [`${notStarted} to start`] : []),
  ]
  const expected = rest === undefined ? '' : `; about ${describeElapsed(rest)} to go`
  return `${parts.join(', ')} after ${describeElapsed(waited)}${expected}`
}

/** The first line: what is started, and how many at once. */
export function describeBatchStart(
  { project, automation }: { project: string; automation: string },
  { seeds, total }: { seeds: readonly unknown[]; total: number },
  { maxParallel, timeout }: { maxParallel: number; timeout: number },
): string {
  const count = describeCount(seeds.length, 'seed')
  const which =
    seeds.length === total ? count : `${seeds.length} of ${describeCount(total, 'seed')}`
  const pace = `${maxParallel} at once, for at most ${describeElapsed(timeout)}`
  return `Automation ${automation} of project ${project}, ${which}, ${pace}`
}

export const categoryWords: Readonly<Record<Category, string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  unknown: 'unknown',
  unfinished: 'unfinished',
  notStarted: 'not started',
}

/** `186 succeeded, 12 failed`; `among` says which are told, those that are none are left out. */
export function describeCounts(
  counts: BatchCounts,
  among: readonly Category[] = ['succeeded', 'failed', 'unknown', 'unfinished'],
): string {
  const told = among.filter((category) => counts[category] > 0)
  return told.map((category) => `${counts[category]} ${categoryWords[category]}`).join(', ')
}

export const everyCategory: readonly Category[] = [
  'succeeded',
  'failed',
  'unknown',
  'unfinished',
  'notStarted',
]

/** The step's last word where it passes. */
export function describeBatchEnd(counts: BatchCounts, automation: string, duration: number) {
  const { total, succeeded } = counts
  const span = `after ${describeElapsed(duration)}`
  if (total === 0) return `${automation}: nothing to run`
  if (succeeded === total) return `${automation}: ${allRuns(total)} succeeded ${span}`
  return `${automation}: ${describeCount(total, 'run')} over ${span}: ${describeCounts(counts, everyCategory)}, allowed by fail-on`
}

function allRuns(total: number): string {
  return total === 1 ? 'the only run' : `all ${total} runs`
}

/** Why no more runs are started. */
export type BatchStop =
  | { kind: 'fail-fast'; number: number }
  /** 401 or 403 to the start of the run `number`; `words` are the service's own. */
  | {
      kind: 'credentials-refused'
      call?: 'start' | 'check'
      number: number
      status: number
      words: string
    }

const longestStopWords = 300

const calls = { start: 'the start', check: 'a status check' }

export function describeStop(stop: BatchStop, show: Show): string {
  if (stop.kind === 'fail-fast') {
    return `Run ${stop.number} did not succeed, so no more runs are started (fail-fast). Those that run are followed to their end.`
  }
  const words = inline(show(stop.words), longestStopWords).replace(/[.:\s]+$/, '')
  const said = words === '' ? '' : ` (${words})`
  return `The service answered ${stop.status} to ${calls[stop.call ?? 'start']} of run ${stop.number}${said}. No more runs are started, since the others would be refused too. Those that run are followed to their end.`
}

/** Runs that may go on though nobody watches them, one line each, and what to do about them. */
export function describeOpenRuns(records: readonly RunRecord[], show: Show): string[] {
  const lines = records
    .map((record) => showRun(record, show))
    .filter(({ category }) => category === 'unfinished' || category === 'unknown')
    .map((run) =>
      run.executionId === undefined
        ? `${nameRun(run)} may or may not have started`
        : `${nameRun(run)} may go on as execution ${run.executionId}`,
    )
  if (lines.length === 0) return []
  const next = `Next: run this job again, which takes over what still runs, or fetch each with ${waitAction} and its execution id.`
  return [...lines, next]
}
