import { describe, expect, it } from '@jest/globals'
import type { Conclusion } from '../../../src/execution/conclusion.ts'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { finished } from '../../support/execution-status.ts'
import { connectionRefused, connectionReset, httpError } from '../../support/failures.ts'
import {
  died,
  followRetried,
  raised,
  request,
  succeeded,
  type ScriptedExecution,
} from '../../support/retried-run.ts'

const running: ScriptedExecution = { checks: [{}] }
const noTime = 'no time was left (the input timeout)'

describe('after an execution that died', () => {
  it('others are started until an execution ends differently', async () => {
    const { report, started, pauses, next } = await followRetried([died, died, succeeded])

    expect(report).toMatchObject({ executionId: 'e-3', conclusion: 'success' })
    expect(report.notRetried).toBeUndefined()
    expect([started, pauses, next]).toEqual([
      ['e-1', 'e-2', 'e-3'],
      [1_000, 2_000],
      [2, 3],
    ])
  })

  it('the report has all of them, oldest first', async () => {
    const { report } = await followRetried([died, succeeded])

    expect(report.attempts).toMatchObject([
      { executionId: 'e-1', conclusion: 'container-error' },
      { executionId: 'e-2', conclusion: 'success' },
    ])
    expect(report.attempts.at(-1)).toMatchObject({ finishedOn: report.finishedOn })
  })

  it('no more are started than retries allows', async () => {
    const { report, started } = await followRetried([died, died, died, died], { retries: 2 })

    expect(started).toEqual(['e-1', 'e-2', 'e-3'])
    expect(report).toMatchObject({ executionId: 'e-3', conclusion: 'container-error' })
    expect(report.attempts).toHaveLength(3)
    expect(report.notRetried).toBeUndefined()
  })

  it('its files are removed when the next execution has started, and not before', async () => {
    expect((await followRetried([died, died, succeeded])).removed).toEqual(['folder-1', 'folder-2'])
    expect((await followRetried([died, { start: 400 }])).removed).toEqual([])
  })

  it('only the last end is reported as settled', async () => {
    const { ended, settled } = await followRetried([died, died, succeeded])

    expect(ended).toEqual(['container-error', 'container-error', 'success'])
    expect(settled).toMatchObject([{ executionId: 'e-3', attempts: { length: 3 } }])
  })
})

describe('another execution is started', () => {
  const both = new Set(['error', 'container-error'] as const)
  const stopped = { checks: [{ finished: true, stopped: true }] }
  const flagged = { checks: [{ container_error: true }] }
  const reset = { start: connectionReset() }

  it.each<[string, ScriptedExecution]>([
    ['container-error', died],
    ['error', raised],
  ])('after %s, if retry-on names it', async (outcome, first) => {
    const named = new Set([outcome as 'error'])
    const others = new Set([...both].filter((other) => other !== outcome))
    expect((await followRetried([first, succeeded], { retryOn: named })).started).toHaveLength(2)
    expect((await followRetried([first, succeeded], { retryOn: others })).started).toHaveLength(1)
    expect((await followRetried([first, succeeded], { retryOn: both })).started).toHaveLength(2)
  })

  it.each<[string, Conclusion, ScriptedExecution]>([
    ['a success', 'success', succeeded],
    ['one that was stopped', 'stopped', stopped],
    ['one that is flagged and not finished: it may still run', 'container-error', flagged],
    ['one that outlasts the timeout', 'timed-out', running],
    ['one whose end was not seen', 'timed-out', { checks: [500] }],
    ['one that the credentials may not see', 'unknown', { checks: [401] }],
    ['one that is not found', 'unknown', { checks: [404] }],
    ['one whose checks are refused', 'unknown', { checks: [422] }],
    ['a start that may have been accepted', 'unknown', reset],
    ['a start that was refused', 'refused', { start: 403 }],
  ])('never after %s', async (_, conclusion, first) => {
    const { report, startedAt } = await followRetried([first, succeeded], { retryOn: both })

    expect(report.conclusion).toBe(conclusion)
    expect(startedAt).toHaveLength(1)
  })

  it('never after a cancellation, whatever the last check said', async () => {
    const cancellation = new AbortController()
    const run = followRetried([running, succeeded], { cancelled: cancellation.signal })
    cancellation.abort()

    expect(await run).toMatchObject({
      report: { conclusion: 'cancelled' },
      startedAt: { length: 1 },
    })
  })
})

describe('the timeout bounds all executions together', () => {
  it('that are followed', async () => {
    const { report } = await followRetried([died, running], { timeout: 20_000 })

    expect(report).toMatchObject({ executionId: 'e-2', conclusion: 'timed-out' })
    expect(report.attempts.map(({ conclusion }) => conclusion)).toEqual([
      ...['container-error', 'timed-out'],
    ])
  })

  it.each([
    ['ends before the pause would', 999],
    ['ends with the pause', 1_000],
  ])('if it %s, no execution is started and there is no pause', async (_, timeout) => {
    const { report, started, pauses, settled } = await followRetried([died, succeeded], { timeout })

    expect([started, pauses]).toEqual([['e-1'], []])
    expect(report).toMatchObject({ conclusion: 'container-error', notRetried: noTime })
    expect(settled).toEqual([report])
  })
})

describe.each<[string, 'onRetry' | 'onEnding', number[]]>([
  ['in the pause', 'onRetry', [1_000]],
  ['while files are fetched', 'onEnding', []],
])('%s', (_, moment, expectedPauses) => {
  it('a cancellation ends it: the report is of the last execution', async () => {
    const cancellation = new AbortController()
    const { report, startedAt, settled, pauses } = await followRetried([died, succeeded], {
      cancelled: cancellation.signal,
      [moment]: () => cancellation.abort(),
    })

    expect([startedAt, pauses]).toEqual([[0], expectedPauses])
    expect(report).toMatchObject({
      executionId: 'e-1',
      conclusion: 'container-error',
      notRetried: 'the step was cancelled',
    })
    expect(settled).toEqual([report])
  })

  it('the deadline ends it as well', async () => {
    const clock = new SimulatedClock({ maxJump: 0 })
    const { report, startedAt, pauses } = await followRetried([died, succeeded], {
      clock,
      timeout: 20_000,
      [moment]: () => void clock.advance(30_000),
    })

    expect([startedAt, pauses]).toEqual([[0], expectedPauses])
    expect(report.notRetried).toBe(noTime)
  })
})

describe('a further start', () => {
  it('that is refused: the report is about the execution before', async () => {
    const { report, settled, ended } = await followRetried([died, { start: 403 }])

    expect(report).toMatchObject({
      executionId: 'e-1',
      conclusion: 'container-error',
      files: { folder: 'folder-1' },
      notRetried: 'the service answered 403: ok',
    })
    expect(report.attempts).toHaveLength(1)
    expect(settled).toEqual([report])
    expect(ended).toEqual(['container-error', 'refused'])
  })

  it.each([
    ['the step was cancelled', connectionRefused()],
    ['the service answered 403', httpError(403)],
  ])('that is not accepted after a cancellation: %s', async (notRetried, failure) => {
    const cancellation = new AbortController()
    const cut = {
      get start() {
        cancellation.abort()
        return failure
      },
    }
    const { report } = await followRetried([died, cut], { cancelled: cancellation.signal })

    expect(report).toMatchObject({ executionId: 'e-1', notRetried })
  })

  it('that may have been accepted: the conclusion is unknown, and the report has the executions before', async () => {
    const { report, startedAt, settled, removed } = await followRetried([
      ...[died, { start: connectionReset() }, succeeded],
    ])

    expect(startedAt).toHaveLength(2)
    expect(report).toMatchObject({ conclusion: 'unknown', executionId: undefined })
    expect(report.attempts).toMatchObject([{ executionId: 'e-1', conclusion: 'container-error' }])
    expect(settled).toEqual([report])
    expect([report.files, removed]).toEqual([undefined, ['folder-1']])
  })
})

describe('an execution that was started before', () => {
  const begin = { executionId: 'e-1' }

  it('is retried if its request is known', async () => {
    const { report, started } = await followRetried([died, succeeded], { begin, request })

    expect(started).toEqual(['e-2'])
    expect(report).toMatchObject({ project: 'demo', automation: 'report', webhookGiven: true })
    expect(report.attempts.map(({ executionId }) => executionId)).toEqual(['e-1', 'e-2'])
  })

  it('is not retried if its request is not known', async () => {
    const { report, startedAt, settled } = await followRetried([died, succeeded], { begin })

    expect(startedAt).toEqual([])
    expect(report).toMatchObject({ executionId: 'e-1', automation: undefined })
    expect(settled).toMatchObject([{ executionId: 'e-1' }])
  })
})

it('an end that was just seen is kept, whatever the service answers later', async () => {
  const status = { ...finished, result_url: null, logs_url: null }
  const ending = { kind: 'finished', outcome: 'success', status } as const
  const { report } = await followRetried([{ checks: [503] }], {
    begin: { executionId: 'e-1', ending },
  })

  expect(report).toMatchObject({ conclusion: 'success', checks: 1, ending })
})

it('if the time runs out before a proper answer, the failed checks are counted', async () => {
  const ending = {
    kind: 'timed-out',
    status: undefined,
    failure: undefined,
    failedChecks: 3,
  } as const
  const { report } = await followRetried([], { begin: { executionId: 'e-1', ending } })

  expect(report).toMatchObject({ conclusion: 'timed-out', checks: 3, files: undefined })
})
