import { describe, expect, it } from '@jest/globals'
import { courses, situationByLook, situationByRecord } from '../../../src/actions/rerun-rules.ts'
import type { ProbeResult } from '../../../src/execution/probe.ts'
import type { Course, Situation } from '../../../src/messages/rerun.ts'
import type { Found } from '../../../src/runner/memory/memory.ts'
import { httpError } from '../../support/failures.ts'

const started = { kind: 'started', attempt: 1, executionId: 'exec-1' } as const
const found = (record: Extract<Found, { kind: 'found' }>['record']): Found => ({
  kind: 'found',
  record,
})

const memory = {
  nothing: { kind: 'nothing' },
  unreadable: { kind: 'unreadable', why: 'no cache' },
  unknown: found({ kind: 'unknown', attempt: 1 }),
  started: found(started),
  'told success': found({ ...started, kind: 'told', conclusion: 'success' }),
  'told error': found({ ...started, kind: 'told', conclusion: 'error' }),
  'told stopped': found({ ...started, kind: 'told', conclusion: 'stopped' }),
} satisfies Record<string, Found>

const finished = {
  finished: true,
  error: false,
  stopped: false,
  container_error: false,
  result_url: null,
  logs_url: null,
}

const state = {
  running: { kind: 'running' },
  success: { kind: 'finished', outcome: 'success', status: finished },
  error: { kind: 'finished', outcome: 'error', status: finished },
  'container-error': { kind: 'finished', outcome: 'container-error', status: finished },
  stopped: { kind: 'finished', outcome: 'stopped', status: finished },
  'not learned': { kind: 'unavailable', failure: undefined },
  '401': { kind: 'refused', failure: httpError(401) },
  '404': { kind: 'not-found', failure: httpError(404) },
  cancelled: { kind: 'cancelled' },
} satisfies Record<string, ProbeResult>

type Row = [keyof typeof memory, keyof typeof state | 'not asked', Situation, Course, Course]

function decide(record: keyof typeof memory, asked: Row[1], onRerun: 'resume' | 'reuse') {
  const byRecord = situationByRecord(memory[record], onRerun)
  if (asked === 'not asked') return byRecord
  expect(byRecord).toBeUndefined()
  return situationByLook(state[asked], onRerun)
}

// The record, what the service says, what that is called, what root does, what start does.
const inBoth: Row[] = [
  ['nothing', 'not asked', 'no-record', 'start', 'start'],
  ['unreadable', 'not asked', 'memory-unreadable', 'start', 'start'],
  ['unknown', 'not asked', 'start-unknown', 'start', 'start'],
  ['told error', 'not asked', 'told', 'start', 'start'],
  ['told stopped', 'not asked', 'told', 'start', 'start'],
  ['started', 'running', 'running', 'follow', 'hand-over'],
  ['started', 'error', 'failed', 'start', 'start'],
  ['started', 'container-error', 'failed', 'start', 'start'],
  ['started', 'stopped', 'failed', 'start', 'start'],
  ['started', 'not learned', 'not-learned', 'follow', 'hand-over'],
  ['started', '401', 'credentials-refused', 'follow', 'fail'],
  ['started', '404', 'not-found', 'start', 'start'],
  ['started', 'cancelled', 'cancelled', 'follow', 'fail'],
]

const table = {
  resume: [
    ...inBoth,
    ['started', 'success', 'succeeded', 'follow', 'start'],
    ['told success', 'not asked', 'told', 'start', 'start'],
  ] satisfies Row[],
  reuse: [
    ...inBoth,
    ['started', 'success', 'reusable', 'follow', 'hand-over'],
    ['told success', 'success', 'reusable', 'follow', 'hand-over'],
    ['told success', 'not learned', 'not-learned', 'follow', 'hand-over'],
    ['told success', '401', 'credentials-refused', 'follow', 'fail'],
    ['told success', '404', 'not-found', 'start', 'start'],
    ['told success', 'cancelled', 'cancelled', 'follow', 'fail'],
  ] satisfies Row[],
} as const

describe.each(['resume', 'reuse'] as const)('with on-rerun: %s', (onRerun) => {
  it.each<Row>(table[onRerun])(
    'record %s, service: %s: %s, so root: %s, start: %s',
    (record, asked, situation, run, start) => {
      expect(decide(record, asked, onRerun)).toBe(situation)
      expect(courses[situation]).toEqual({ run, start })
    },
  )
})
