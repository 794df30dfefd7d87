import { describe, expect, it } from '@jest/globals'
import { maxBeginTime } from '../../../src/actions/only-run.ts'
import {
  begin,
  runToTakeOver,
  type Purpose,
  type EarlierRun,
  type RerunMode,
} from '../../../src/execution/begin.ts'
import type { Outcome } from '../../../src/execution/conclusion.ts'
import { record } from '../../support/execution-status.ts'
import { connectionReset, httpError } from '../../support/failures.ts'
import { ScriptedRun, slow, type Check, type Given } from '../../support/scripted-run.ts'

const attempt = 1
const executionId = 'e-1'

function known(outcome?: Outcome, isEndReported = false): Extract<EarlierRun, { kind: 'known' }> {
  return { kind: 'known', attempt, executionId, outcome, isEndReported }
}

interface Asked extends Given {
  mode?: RerunMode
  purpose?: Purpose
}

async function beginRun(recorded: EarlierRun, checks: readonly Check[], given: Asked = {}) {
  const { mode = 'resume', purpose = 'follow' } = given
  const run = new ScriptedRun([{ checks }], { timeout: maxBeginTime, ...given }, 1)
  const asked = { mode, purpose, deadline: run.deadline }
  const beginning = await run.finish(begin(recorded, asked, run.env, run.emit))
  return { beginning, checkedAt: run.checkedAt, endedAt: run.clock.elapsed }
}

const running: Check = {}
const success: Check = { finished: true }
const error: Check = { finished: true, error: true }
const died: Check = { finished: true, container_error: true }
const flagged: Check = { error: true }
const started = known()
const wasSuccess = known('success')
const wasError = known('error')
const wasInvalid = known('invalid-result')
const reported = known('success', true)
const reportedError = known('error', true)

/** What the record says, what the service answers, how the run stands, who takes it over. */
type Row = [name: string, EarlierRun, readonly Check[], standing: string, takenOverBy: string]

const both = 'follow, output-id'
const inBothModes: Row[] = [
  ['no record', { kind: 'none' }, [], 'none', ''],
  ['an unreadable record', { kind: 'unreadable', why: 'it hangs' }, [], 'unreadable', ''],
  ['an unclear start', { kind: 'unclear', attempt }, [], 'unclear', ''],
  ['a start', started, [running], 'running', both],
  ['a start', started, [500, running], 'running', both],
  ['a start', started, [error], 'failed', ''],
  ['a start', started, [died], 'failed', ''],
  ['a start', started, [{ finished: true, stopped: true }], 'failed', ''],
  ['a start', started, [flagged, running], 'running', both],
  ['a start', started, [500], 'unreachable', both],
  ['a start', started, [connectionReset()], 'unreachable', both],
  ['a start', started, [httpError(401, { isWebPage: true })], 'unreachable', both],
  ['a start', started, [httpError(404, { isWebPage: true })], 'unreachable', both],
  ['a start', started, [401], 'no-access', both],
  ['a start', started, [403], 'no-access', both],
  ['a start', started, [404], 'gone', ''],
  ['a success', wasSuccess, [running], 'running', both],
  ['a success', wasSuccess, [error], 'failed', ''],
  ['a success', wasSuccess, [404], 'gone', ''],
  ['a success', wasSuccess, [flagged, running], 'running', both],
  ['an error', wasError, [error], 'failed', ''],
  // The service may never say that a failed run has finished.
  ['an error', wasError, [flagged], 'failed', ''],
  ['an error', wasError, [running], 'running', both],
  ['an invalid result', wasInvalid, [success], 'failed', ''],
  ['an invalid result', wasInvalid, [500], 'unreachable', both],
  ['a reported error', reportedError, [], 'reported', ''],
]
const rows: Record<RerunMode, Row[]> = {
  resume: [
    ...inBothModes,
    ['a start', started, [success], 'succeeded', 'follow'],
    ['a success', wasSuccess, [success], 'succeeded', 'follow'],
    ['a reported success', reported, [], 'reported', ''],
  ],
  reuse: [
    ...inBothModes,
    ['a start', started, [success], 'reusable', both],
    ['a success', wasSuccess, [success], 'reusable', both],
    ['a reported success', reported, [success], 'reusable', both],
    ['a reported success', reported, [404], 'gone', ''],
  ],
}

describe.each(['resume', 'reuse'] as const)('with on-rerun: %s', (mode) => {
  it.each(rows[mode])('%s %j, then %j, is %s and taken over by: %s', async (...row) => {
    const [, recorded, checks, standing, takenOverBy] = row
    const takers: string[] = []
    for (const purpose of ['follow', 'output-id'] as const) {
      const { beginning } = await beginRun(recorded, checks, { mode, purpose })
      expect(beginning.because).toBe(standing)
      if (beginning.kind === 'take-over') takers.push(purpose)
    }

    expect(takers.join(', ')).toBe(takenOverBy)
  })
})

describe('the service is asked', () => {
  it.each<[string, EarlierRun, readonly Check[], Asked, number[]]>([
    ['never about a reported end', reported, [success], {}, []],
    ['once, if it answers', started, [running], {}, [0]],
    [
      'every second, then less often',
      started,
      [500],
      {},
      [0, 1_000, 3_000, 7_000, 15_000, 31_000, 32_000],
    ],
    ['until 404 has lasted 30 s', started, [404], {}, [0, 1_000, 3_000, 7_000, 15_000, 30_000]],
    ['until its time is over', started, [500], { timeout: 5_000 }, [0, 1_000, 3_000, 5_000]],
    ['once, if no time is left', started, [500], { timeout: 0 }, [0]],
  ])('%s', async (_, recorded, checks, given, checkedAt) => {
    expect((await beginRun(recorded, checks, given)).checkedAt).toEqual(checkedAt)
  })

  it('for 30 s after a failure flag, if the step only outputs the id', async () => {
    const { beginning, endedAt } = await beginRun(started, [flagged], { purpose: 'output-id' })

    expect(beginning).toMatchObject({ kind: 'start', because: 'failed' })
    expect(endedAt).toBe(30_000)
  })

  it('and a failure flag that no later answer confirms starts nothing', async () => {
    const given = { purpose: 'output-id' } as const
    const { beginning } = await beginRun(started, [flagged, 500], given)

    expect(beginning).toMatchObject({ kind: 'take-over', because: 'running' })
  })

  it.each([
    ['not counted as missing', 28_000, 'unreachable'],
    ['missing', 1_500, 'gone'],
  ])('with a run that is %s if the first 404 took %d ms', async (_, span, standing) => {
    const { beginning, endedAt } = await beginRun(started, [slow(span, 404), 404])

    expect(beginning.because).toBe(standing)
    expect(endedAt).toBeLessThanOrEqual(maxBeginTime)
  })

  it('until the step is cancelled, which starts nothing', async () => {
    const { beginning, endedAt } = await beginRun(started, [500], { cancelAt: 2_000 })

    expect(beginning).toMatchObject({ kind: 'take-over', because: 'cancelled', executionId })
    expect(endedAt).toBe(2_000)
  })
})

it('the checks are handed on, so that the watch continues with them', async () => {
  const { beginning } = await beginRun(started, [500, running])

  expect(beginning.seen).toMatchObject({ checks: 2, failedChecks: 1, status: record(running) })
})

it.each<[Outcome | undefined, Check, Outcome | undefined]>([
  [undefined, running, undefined],
  [undefined, flagged, undefined],
  [undefined, error, 'error'],
  ['success', error, 'error'],
  ['success', flagged, undefined],
  ['error', flagged, 'error'],
  ['stopped', { container_error: true }, 'container-error'],
  ['invalid-result', success, 'invalid-result'],
  ['invalid-result', error, 'error'],
])('recorded as %s and shown as %j, a run ended with %s', async (recorded, shown, outcome) => {
  const { beginning } = await beginRun(known(recorded), [shown])

  expect(beginning).toMatchObject(
    outcome ? { kind: 'start', replaced: { executionId, outcome } } : { kind: 'take-over' },
  )
})

it.each<[EarlierRun, RerunMode, boolean]>([
  [{ kind: 'none' }, 'resume', false],
  [started, 'resume', true],
  [wasSuccess, 'resume', true],
  [wasError, 'resume', false],
  [wasInvalid, 'reuse', false],
  [reported, 'resume', false],
  [reported, 'reuse', true],
])(
  '%j with on-rerun: %s may be taken over, as far as the record says: %s',
  (recorded, mode, may) => {
    expect(runToTakeOver(recorded, mode) !== undefined).toBe(may)
  },
)
