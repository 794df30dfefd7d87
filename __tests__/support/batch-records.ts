import type { BatchCounts, BatchReport, RunRecord } from '../../src/execution/batch/batch.ts'
import { conclusions } from '../../src/execution/conclusion.ts'
import type { StepFacts } from '../../src/messages/execution-record.ts'
import type { BatchEnd } from '../../src/messages/batch/end.ts'
import { showRun, type ShownRun } from '../../src/messages/batch/runs.ts'

/** The facts that all runs of a step share. */
export const stepFacts: StepFacts = {
  project: 'demo',
  automation: 'report',
  workflowRun: { run_id: '4200' },
  linkOf: () => undefined,
}

/** Returns the record of a run. By default, the run succeeded after 130 s. */
export function runRecord(given: Partial<RunRecord> = {}): RunRecord {
  const { conclusion = 'success', index = 0 } = given
  const isStarted = conclusion !== 'not-started'
  return {
    index,
    label: undefined,
    executionId: isStarted ? `id-${index + 1}` : undefined,
    conclusion,
    attempts: [],
    resumed: false,
    startedAt: isStarted ? index * 1_000 : undefined,
    endedAt: isStarted ? index * 1_000 + 130_000 : undefined,
    cause: undefined,
    failsStep: conclusion !== 'success',
    ...given,
  }
}

/** Returns records of these runs, with their places as indices. */
export function runRecords(runs: readonly Partial<RunRecord>[]): RunRecord[] {
  return runs.map((run, index) => runRecord({ index, ...run }))
}

/** Returns these runs as people may see them. */
export function shownRuns(
  runs: readonly Partial<RunRecord>[],
  show = (text: string) => text,
): ShownRun[] {
  return runRecords(runs).map((record) => showRun(record, show))
}

export function countRuns(records: readonly RunRecord[]): BatchCounts {
  const count = (category: string) =>
    records.filter(({ conclusion }) => conclusions[conclusion].category === category).length
  return {
    total: records.length,
    succeeded: count('succeeded'),
    failed: count('failed'),
    unknown: count('unknown'),
    unfinished: count('unfinished'),
    notStarted: count('notStarted'),
  }
}

/** Returns the report of a batch that took a millisecond. */
export function batchReportOf(records: readonly RunRecord[]): BatchReport {
  return {
    counts: countRuns(records),
    conclusion: records.every(({ failsStep }) => !failsStep) ? 'success' : 'failure',
    needsOtherCredentials: false,
    startedOn: new Date(0),
    duration: 1,
    records,
  }
}

/** Returns the end of a batch that failed with these runs. */
export function batchEndOf(
  runs: readonly Partial<RunRecord>[],
  given: Partial<BatchEnd> = {},
  show = (text: string) => text,
): BatchEnd {
  return {
    ...batchReportOf(runRecords(runs)),
    conclusion: 'failure',
    automation: 'report',
    runs: shownRuns(runs, show),
    isOnRecord: true,
    artifact: undefined,
    resultsFile: '/tmp/results.jsonl',
    ...given,
  }
}

export async function allOf<Piece>(pieces: AsyncIterable<Piece>): Promise<Piece[]> {
  const all: Piece[] = []
  for await (const piece of pieces) all.push(piece)
  return all
}
