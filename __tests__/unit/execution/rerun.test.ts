import { describe, expect, it } from '@jest/globals'
import { concludeFrom, type Outcome } from '../../../src/execution/conclusion.ts'
import { nothingKnown } from '../../../src/execution/poll-state.ts'
import type { ProbeResult } from '../../../src/execution/probe.ts'
import {
  decide,
  earlierOutcome,
  needsProbe,
  type RerunMode,
  type PriorState,
  type EarlierRun,
  type RerunAction,
} from '../../../src/execution/rerun.ts'
import type { ExecutionStatus } from '../../../src/service/contract.ts'
import { finished, running } from '../../support/execution-status.ts'
import { httpError } from '../../support/failures.ts'

const executionId = 'exec-1'
const attempt = 1

const records = {
  nothing: { kind: 'none' },
  'an unreadable record': { kind: 'unreadable', why: 'it hangs' },
  'an unknown start': { kind: 'start-unknown', attempt },
  'a start': { kind: 'started', attempt, executionId },
  'a success': { kind: 'ended', attempt, executionId, conclusion: 'success' },
  'an error': { kind: 'ended', attempt, executionId, conclusion: 'error' },
  'an invalid result': { kind: 'ended', attempt, executionId, conclusion: 'invalid-result' },
  'a reported success': { kind: 'reported', attempt, executionId, conclusion: 'success' },
  'a reported error': { kind: 'reported', attempt, executionId, conclusion: 'error' },
  'a reported invalid result': {
    kind: 'reported',
    attempt,
    executionId,
    conclusion: 'invalid-result',
  },
} satisfies Record<string, EarlierRun>

const end = (status: ExecutionStatus) =>
  ({ kind: 'finished', outcome: concludeFrom(status), status }) as const

const unseen = { kind: 'cancelled', status: undefined } as const

const probes = {
  runs: { kind: 'running', ending: unseen, state: nothingKnown },
  'a flag, unfinished': {
    kind: 'running',
    ending: end({ ...running, stopped: true }),
    state: nothingKnown,
  },
  success: end(finished),
  error: end({ ...finished, error: true }),
  'container-error': end({ ...finished, container_error: true }),
  stopped: end({ ...finished, stopped: true }),
  'no answer': {
    kind: 'unavailable',
    failure: httpError(502),
    ending: unseen,
    state: nothingKnown,
  },
  '401': { kind: 'refused', failure: httpError(401), ending: unseen },
  '404 for 30 s': { kind: 'not-found', failure: httpError(404) },
  'cancelled before': { kind: 'cancelled' },
} satisfies Record<string, ProbeResult>

type Recorded = keyof typeof records
type Probed = keyof typeof probes
type Row = [Recorded, Probed | 'not asked', PriorState, RerunAction, RerunAction]

// Record, answer of the service, state, action of `run` and `batch`, action of `start`.
const withoutAsking: Row[] = [
  ['nothing', 'not asked', 'no-record', 'start', 'start'],
  ['an unreadable record', 'not asked', 'unreadable', 'start', 'start'],
  ['an unknown start', 'not asked', 'start-unknown', 'start', 'start'],
  ['a reported error', 'not asked', 'reported', 'start', 'start'],
  ['a reported invalid result', 'not asked', 'reported', 'start', 'start'],
]
const asked = (recorded: Recorded): Row[] => [
  [recorded, 'runs', 'running', 'follow', 'output-id'],
  [recorded, 'error', 'failed', 'start', 'start'],
  [recorded, 'container-error', 'failed', 'start', 'start'],
  [recorded, 'stopped', 'failed', 'start', 'start'],
  [recorded, 'no answer', 'unavailable', 'follow', 'output-id'],
  [recorded, '401', 'refused', 'follow', 'fail'],
  [recorded, '404 for 30 s', 'not-found', 'start', 'start'],
  [recorded, 'cancelled before', 'cancelled', 'follow', 'fail'],
]
const unreported: Recorded[] = ['a start', 'a success', 'an error']
/** Rule 8 may have ended a run whose flag lasted. Only the record knows that. */
const flagged: Row[] = [
  ['a start', 'a flag, unfinished', 'running', 'follow', 'output-id'],
  ['a success', 'a flag, unfinished', 'running', 'follow', 'output-id'],
  ['an error', 'a flag, unfinished', 'failed', 'start', 'start'],
  ['an invalid result', 'a flag, unfinished', 'failed', 'start', 'start'],
]
/** For the service, an execution with an invalid result succeeded. Only the record knows better. */
const afterInvalid: Row[] = [
  ...asked('an invalid result'),
  ['an invalid result', 'success', 'failed', 'start', 'start'],
]

const table: Record<RerunMode, Row[]> = {
  resume: [
    ...withoutAsking,
    ...afterInvalid,
    ...flagged,
    ['a reported success', 'not asked', 'reported', 'start', 'start'],
    ...unreported.flatMap((recorded): Row[] => [
      ...asked(recorded),
      [recorded, 'success', 'succeeded', 'follow', 'start'],
    ]),
  ],
  reuse: [
    ...withoutAsking,
    ...afterInvalid,
    ...flagged,
    ...[...unreported, 'a reported success' as const].flatMap((recorded): Row[] => [
      ...asked(recorded),
      [recorded, 'success', 'reusable', 'follow', 'output-id'],
    ]),
  ],
}

describe.each(['resume', 'reuse'] as const)('with on-rerun: %s', (onRerun) => {
  it.each<Row>(table[onRerun])(
    'record: %s, service: %s, state: %s, run and batch: %s, start: %s',
    (recorded, answer, state, waits, outputsId) => {
      const run = records[recorded]
      const probed = answer === 'not asked' ? undefined : probes[answer]

      expect(needsProbe(run, onRerun)).toBe(probed !== undefined)
      for (const [waiting, action] of [
        ['waits', waits],
        ['outputs-id', outputsId],
      ] as const) {
        const decision = decide(waiting, run, probed, onRerun)
        if (action === 'start') expect(decision).toEqual({ state, action })
        else expect(decision).toMatchObject({ state, action, executionId })
      }
    },
  )

  it('a recorded run is followed if the service was not asked', () => {
    for (const record of ['a start', 'a success'] as const) {
      expect(decide('waits', records[record], undefined, onRerun)).toEqual({
        state: 'unavailable',
        action: 'follow',
        executionId,
        ending: undefined,
      })
    }
  })

  it('an end that the probe saw is not checked again', () => {
    const decision = decide('waits', records['a start'], probes.success, onRerun)
    expect(decision).toMatchObject({ executionId, ending: probes.success })
    const unseen = decide('waits', records['a start'], probes.runs, onRerun)
    expect(unseen).toHaveProperty('ending', undefined)
  })
})

it.each<[Recorded, Probed, Outcome | undefined]>([
  ['an invalid result', 'success', 'invalid-result'],
  ['an invalid result', 'error', 'error'],
  ['an error', 'success', 'success'],
  ['a start', 'stopped', 'stopped'],
  ['an invalid result', 'runs', undefined],
  ['an error', 'runs', undefined],
  ['an error', 'a flag, unfinished', 'stopped'],
  ['a start', 'a flag, unfinished', undefined],
])('record: %s, service: %s, outcome: %s', (recorded, answer, outcome) => {
  expect(earlierOutcome(records[recorded], probes[answer])).toBe(outcome)
})
