/** Checks that a re-run will find the executions that an annotation promises to take over. */
import type { FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'
import { newestOf, saysReported } from './simulated-cache.ts'
import type { SavedRecord } from './traffic.ts'

export function checkPromise(step: FinishedStep): Violation[] {
  // The step cannot know that the cache has lost a saved record.
  if (step.traffic.faults.includes('cache: save lost')) return []
  const newest = newestRecords(step)
  // A re-run starts a new run if the record says that the end is reported.
  const isKept = (record: SavedContent) => step.plan.onRerun === 'reuse' || !saysReported(record)
  const isFound = (id: string) =>
    newest.length > 0 && newest.every((record) => hasExecution(record, id) && isKept(record))
  const lost = promisedIn(step).filter((id) => !isFound(id))
  return check(lost.length === 0, 'promised executions missing in the newest record', lost.join())
}

type SavedContent = Pick<SavedRecord, 'key' | 'content'>

const promisePattern = /takes this run over|takes over runs in progress|keeps successful runs/

/** Returns the executions that a re-run takes over or keeps according to the annotation. */
function promisedIn({ run: { recorded }, files }: FinishedStep): string[] {
  const isPromised = recorded.annotations.some(
    ({ level, text }) => level === 'error' && promisePattern.test(text),
  )
  if (!isPromised) return []
  const rows = files.batch?.rows
  if (!rows) return [recorded.output('execution-id')]
  const lasting = ['success', 'timed-out', 'cancelled', 'unknown']
  return rows.flatMap((row) => (lasting.includes(row.conclusion) ? (row.execution_id ?? []) : []))
}

/** Returns the newest records after the end of all saves, including saves that were given up. */
function newestRecords({ traffic, context }: FinishedStep): SavedContent[] {
  const newest = newestOf(traffic.records)
  const { recordFound: key } = traffic
  return newest.length > 0 || key === undefined
    ? newest
    : [{ key, content: context.cache.contentOf(key) }]
}

/** Returns true if the record names the execution, in its key (run) or its content (batch). */
export function hasExecution({ key, content }: SavedContent, id: string): boolean {
  const isInKey = key.includes(`-${Buffer.from(id).toString('hex')}-`)
  return isInKey || Buffer.from(content).includes(JSON.stringify(id))
}
