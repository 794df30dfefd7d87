/** What a batch in a job that runs again says of what an earlier attempt left. */
import type { NoteName, NoteValues } from '../catalogue.ts'
import { describeCount } from '../quantities.ts'

/** What was found, in numbers of this step's seeds. */
export type BatchRecall =
  /** A first attempt, or one that is told to start anew. */
  | { kind: 'not-asked' }
  | { kind: 'nothing' }
  /** `why` may be shown. */
  | { kind: 'unreadable'; why: string }
  /** All succeeded, and attempt `attempt` told so. */
  | { kind: 'complete'; attempt: number }
  | {
      kind: 'found'
      /** The one that wrote it. */
      attempt: number
      succeeded: number
      running: number
      failed: number
      /** Their starts may or may not have been accepted. */
      unclear: number
      /** It does not know them, or not the last of their executions. */
      others: number
      total: number
      /** That attempt ended in good order, so that the others were not started. */
      isClosed: boolean
    }

type Warning = 'rerun-memory-unreadable' | 'batch-starts-unknown' | 'may-be-doubled'

/** Said as a line of the log, or as a warning of the catalogue. */
export type BatchRerunLine =
  | { kind: 'line'; text: string }
  | { kind: 'warning'; name: Extract<NoteName, Warning>; values: NoteValues<Warning> }

/** Nothing to say where nobody asked. `attempt`: this one. */
export function describeBatchRerun(recall: BatchRecall, attempt: number): BatchRerunLine[] {
  switch (recall.kind) {
    case 'not-asked':
      return []
    case 'nothing':
      return [
        line(
          `Attempt ${attempt}: no earlier attempt of this job left a record of this step; starting`,
        ),
      ]
    case 'unreadable':
      return [warning('rerun-memory-unreadable', { why: recall.why })]
    case 'complete':
      return [line(`All runs succeeded, which attempt ${recall.attempt} told: starting new ones`)]
    case 'found':
      return [line(describeFound(recall)), ...warnings(recall)]
  }
}

type Found = Extract<BatchRecall, { kind: 'found' }>

function describeFound({ attempt, succeeded, running, total }: Found): string {
  const rest = total - succeeded - running
  const parts = [
    succeeded > 0 ? `${succeeded} succeeded and ${areOrIs(succeeded)} kept` : '',
    running > 0 ? `${running} may still be running and ${areOrIs(running)} taken over` : '',
    rest > 0 ? `${rest} ${areOrIs(rest)} started` : '',
  ].filter((part) => part !== '')
  return `Attempt ${attempt} left a record of this step; of its ${describeCount(total, 'run')} ${parts.join(', ')}`
}

function areOrIs(amount: number): string {
  return amount === 1 ? 'is' : 'are'
}

function warnings({ attempt, unclear, others, total, isClosed }: Found): BatchRerunLine[] {
  const starts = { attempt: String(attempt), runs: describeCount(unclear, 'run') }
  const bound = { count: String(others), runs: describeCount(total, 'run') }
  return [
    ...(unclear > 0 ? [warning('batch-starts-unknown', starts)] : []),
    ...(!isClosed && others > 0 ? [warning('may-be-doubled', bound)] : []),
  ]
}

function line(text: string): BatchRerunLine {
  return { kind: 'line', text }
}

function warning(name: Warning, values: Partial<NoteValues<Warning>>): BatchRerunLine {
  return {
    kind: 'warning',
    name,
    values: { attempt: '', count: '', runs: '', why: '', ...values },
  }
}
