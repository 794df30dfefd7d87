/** Checks that a re-run finds the executions that an annotation promises to it. */
import type { FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'
import { newestOf } from './simulated-cache.ts'
import type { SavedRecord } from './traffic.ts'

export function checkPromise(step: FinishedStep): Violation[] {
  // The step cannot know that the cache has lost a saved record.
  if (step.traffic.faults.includes('cache: save lost')) return []
  const newest = newestRecords(step)
  const isFound = (id: string) =>
    newest.length > 0 && newest.every((record) => hasExecution(record, id))
  const lost = promisedIn(step).filter((id) => !isFound(id))
  return check(lost.length === 0, 'promised executions that the newest record lacks', lost.join())
}

const promise = /takes this run over|takes over runs in progress|keeps successful runs/

/** Returns the executions that a re-run takes over or keeps, as the annotation says. */
function promisedIn({ run: { recorded }, files }: FinishedStep): string[] {
  const isPromised = recorded.annotations.some(
    ({ level, text }) => level === 'error' && promise.test(text),
  )
  if (!isPromised) return []
  const rows = files.batch?.rows
  if (!rows) return [recorded.output('execution-id')]
  const lasting = ['success', 'timed-out', 'cancelled', 'unknown']
  return rows.flatMap((row) => (lasting.includes(row.conclusion) ? (row.execution_id ?? []) : []))
}

/** Returns the newest records after all saves have finished, also saves that were given up. */
function newestRecords({ traffic, context }: FinishedStep): Omit<SavedRecord, 'at'>[] {
  const newest = newestOf(traffic.records)
  const { recordFound: key } = traffic
  return newest.length > 0 || key === undefined
    ? newest
    : [{ key, content: context.cache.contentOf(key) }]
}

/** The key has the execution of a single run. The file has the executions of a batch. */
export function hasExecution({ key, content }: Omit<SavedRecord, 'at'>, id: string): boolean {
  const isInKey = key.includes(`-${Buffer.from(id).toString('hex')}-`)
  return isInKey || Buffer.from(content).includes(JSON.stringify(id))
}
