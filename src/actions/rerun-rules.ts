/** What a step of a job that runs again does about what an earlier attempt of it left. */
import type { ProbeResult } from '../execution/probe.ts'
import type { Course, Situation } from '../messages/rerun.ts'
import type { OnRerun } from '../runner/inputs/again.ts'
import type { Found } from '../runner/memory/memory.ts'

/** Per situation, for what waits (root, and each run of a batch) and for `start`. */
export const courses: Readonly<Record<Situation, { run: Course; start: Course }>> = {
  'no-record': { run: 'start', start: 'start' },
  'memory-unreadable': { run: 'start', start: 'start' },
  'start-unknown': { run: 'start', start: 'start' },
  told: { run: 'start', start: 'start' },
  running: { run: 'follow', start: 'hand-over' },
  succeeded: { run: 'follow', start: 'start' },
  failed: { run: 'start', start: 'start' },
  reusable: { run: 'follow', start: 'hand-over' },
  'not-learned': { run: 'follow', start: 'hand-over' },
  // Who follows it meets the refusal again, and ends `unknown`.
  'credentials-refused': { run: 'follow', start: 'fail' },
  'not-found': { run: 'start', start: 'start' },
  cancelled: { run: 'follow', start: 'fail' },
}

/** The situation as the record alone tells it; undefined where the service has to be asked. */
export function situationByRecord(found: Found, onRerun: OnRerun): Situation | undefined {
  if (found.kind === 'nothing') return 'no-record'
  if (found.kind === 'unreadable') return 'memory-unreadable'
  const { record } = found
  switch (record.kind) {
    case 'unknown':
      return 'start-unknown'
    case 'started':
      return undefined
    case 'told':
      return onRerun === 'reuse' && record.conclusion === 'success' ? undefined : 'told'
  }
}

/** The situation once the service was asked about the execution of the record. */
export function situationByLook(look: ProbeResult, onRerun: OnRerun): Situation {
  switch (look.kind) {
    case 'finished':
      if (look.outcome !== 'success') return 'failed'
      return onRerun === 'reuse' ? 'reusable' : 'succeeded'
    case 'unavailable':
      return 'not-learned'
    case 'running':
    case 'not-found':
    case 'cancelled':
      return look.kind
    case 'refused':
      return 'credentials-refused'
  }
}
