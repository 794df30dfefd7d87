/** Between what a batch knows of its runs and what its journal keeps. */
import type { RunRecord } from '../../execution/batch/record.ts'
import { outcomes } from '../../execution/conclusion.ts'
import type { BatchSeed } from '../../execution/batch/seed-list.ts'
import type { BatchRecall } from '../../messages/batch/rerun.ts'
import { type Journal, type JournalRun, nameOf } from './journal-format.ts'

/** Undefined where nothing new is known: nothing was started. */
export function runOf({
  conclusion,
  executionId,
}: Pick<RunRecord, 'conclusion' | 'executionId'>): JournalRun | undefined {
  if (conclusion === 'unknown' && executionId === undefined) return { state: conclusion }
  // An earlier start of what was not started now, of which nothing is known, may have been accepted.
  if (executionId === undefined || conclusion === 'refused' || conclusion === 'not-started') {
    return undefined
  }
  const outcome = outcomes.find((each) => each === conclusion)
  return { state: outcome ?? 'running', executionId }
}

export function isSameRun(one: JournalRun | undefined, other: JournalRun): boolean {
  return one?.state === other.state && idOf(one) === idOf(other)
}

function idOf(run: JournalRun): string | undefined {
  return 'executionId' in run ? run.executionId : undefined
}

/**
 * What a journal says of these seeds. After one that was not closed `others` also has those whose
 * last execution it may not know: what failed may have been started anew since, and what ran may
 * have failed and been started again.
 */
export function countFound(
  { attempt, closed, runs }: Journal,
  seeds: readonly BatchSeed[],
  retries: number,
): Extract<BatchRecall, { kind: 'found' }> {
  const counts = { succeeded: 0, running: 0, failed: 0, unclear: 0, others: 0 }
  for (const seed of seeds) counts[countOf(runs.get(nameOf(seed)))] += 1
  if (!closed) counts.others += counts.failed + (retries > 0 ? counts.running : 0)
  return { kind: 'found', attempt, ...counts, total: seeds.length, isClosed: closed }
}

function countOf(run: JournalRun | undefined) {
  if (!run) return 'others'
  if (run.state === 'running') return 'running'
  if (run.state === 'unknown') return 'unclear'
  return run.state === 'success' ? 'succeeded' : 'failed'
}
