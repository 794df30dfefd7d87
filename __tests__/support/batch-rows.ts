import {
  type BatchCounts,
  type BatchReport,
  type BatchRow,
} from '../../src/execution/batch/batch-types.ts'
import { conclusions } from '../../src/execution/conclusion.ts'
import type { Row } from '../../src/execution/row.ts'
import type { BatchEnd } from '../../src/messages/batch/end.ts'
import { shownRow } from '../../src/messages/batch/runs.ts'
import { rowOf, type StepFacts } from '../../src/messages/row-of.ts'

/** The facts that all runs of a step share. */
export const stepFacts: StepFacts = {
  project: 'demo',
  automation: 'report',
  workflowRun: { run_id: '4200' },
  executionUrlOf: () => undefined,
  folder: '',
  show: (text) => text,
}

/** What a test says about a run: members of the row, and of its facts. */
export type GivenRow = Partial<BatchRow & Row>

/** Returns the row of a run. By default, the run succeeded after 130 s. */
export function batchRow({ facts, ...given }: GivenRow = {}): BatchRow {
  const { conclusion = 'success', number = 1 } = given
  const isStarted = conclusion !== 'not-started'
  const executionId = isStarted ? `id-${number}` : undefined
  const known = facts ?? {
    ...rowOf({ conclusion, executionId, cause: undefined }, stepFacts),
    duration_seconds: isStarted ? 130 : null,
  }
  const row = {
    number,
    label: undefined,
    isTakenOver: false,
    startedAt: isStarted ? (number - 1) * 1_000 : undefined,
    duration: isStarted ? 130_000 : undefined,
    advice: undefined,
    failsStep: conclusion !== 'success',
  }
  return { ...row, ...pick(given, row), facts: { ...known, ...pick(given, known) } }
}

/** Returns those members of `given` that are members of `of` too. */
function pick<Of extends object>(given: object, of: Of): Partial<Of> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => name in of)) as Partial<Of>
}

/** Returns rows of these runs, with their places as indices. */
export function batchRows(runs: readonly GivenRow[]): BatchRow[] {
  return runs.map((run, index) => batchRow({ number: index + 1, ...run }))
}

export function countRuns(rows: readonly BatchRow[]): BatchCounts {
  const count = (category: string) =>
    rows.filter(({ facts }) => conclusions[facts.conclusion].category === category).length
  return {
    total: rows.length,
    succeeded: count('succeeded'),
    failed: count('failed'),
    unknown: count('unknown'),
    unfinished: count('unfinished'),
    notStarted: count('notStarted'),
  }
}

/** Returns the report of a batch that took a millisecond. */
export function batchReportOf(runs: readonly GivenRow[]): BatchReport {
  const rows = batchRows(runs)
  return {
    counts: countRuns(rows),
    conclusion: rows.every(({ failsStep }) => !failsStep) ? 'success' : 'failure',
    needsOtherCredentials: false,
    startedOn: new Date(0),
    duration: 1,
    rows,
  }
}

/** Returns the end of a batch that failed with these runs. */
export function batchEndOf(
  runs: readonly GivenRow[],
  given: Partial<BatchEnd> = {},
  show = (text: string) => text,
): BatchEnd {
  const report = batchReportOf(runs)
  return {
    ...report,
    rows: report.rows.map((row) => shownRow(row, show)),
    conclusion: 'failure',
    cancelled: false,
    automation: 'report',
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
