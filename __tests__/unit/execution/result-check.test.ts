/** Tests how an execution ends if its result is checked, or is gone. */
import { describe, expect, it } from '@jest/globals'
import type { RetriableOutcome } from '../../../src/execution/conclusion.ts'
import type { NotValidated, ResultProblems } from '../../../src/execution/result-problems.ts'
import { finished } from '../../support/execution-status.ts'
import { followRetried, raised, request, succeeded } from '../../support/retried-run.ts'

const invalid: ResultProblems = { lines: ['expected an array'], count: 1 }
/** Returns a check that finds these problems in the first result, in the second, and so on. */
const finding = (...problems: (ResultProblems | NotValidated | undefined)[]) => ({
  checkResult: () => Promise.resolve(problems.shift()),
})
const onInvalid = { retryOn: new Set<RetriableOutcome>(['invalid-result']) }

describe('a result that is checked', () => {
  it('decides how a run ended, which is reported once', async () => {
    const { report, ended, settled } = await followRetried([succeeded], finding(invalid))

    expect(report).toMatchObject({ conclusion: 'invalid-result', resultProblems: invalid })
    expect(report.ending).toMatchObject({ kind: 'finished', outcome: 'invalid-result' })
    expect(report.attempts).toMatchObject([{ conclusion: 'invalid-result' }])
    expect([ended, settled]).toEqual([['success'], [report]])
  })

  it('and valid keeps the success, which is reported only then', async () => {
    const { report, settled } = await followRetried([succeeded], finding(undefined))

    expect(report).toMatchObject({ conclusion: 'success', files: { folder: 'folder-1' } })
    expect(settled).toEqual([report])
    const [unchecked] = (await followRetried([succeeded])).settled
    expect(unchecked).toMatchObject({ conclusion: 'success', files: undefined })
  })

  it('is the result of a success, and of no other end', async () => {
    const { report, settled } = await followRetried([raised], finding(invalid))
    expect(report.conclusion).toBe('error')
    expect(settled).toMatchObject([{ conclusion: 'error', files: undefined }])
    const open = await followRetried([{ checks: [{}] }], finding(invalid))
    expect(open.report.conclusion).toBe('timed-out')
  })

  it('and invalid is followed by another execution if retry-on names invalid-result', async () => {
    const given = { ...onInvalid, ...finding(invalid, undefined) }
    const { report, settled } = await followRetried([succeeded, succeeded], given)

    expect(report.attempts).toMatchObject([
      { executionId: 'e-1', conclusion: 'invalid-result' },
      { executionId: 'e-2', conclusion: 'success' },
    ])
    expect(settled).toEqual([report])
  })

  it('and invalid starts nothing if the run had succeeded before the re-run', async () => {
    const ending = { kind: 'finished', outcome: 'success', status: finished } as const
    const begin = { executionId: 'e-1', ending }
    const given = { ...onInvalid, ...finding(invalid, undefined), begin, request }
    const { report, started } = await followRetried([succeeded, succeeded], given)

    expect([report.conclusion, started]).toEqual(['invalid-result', []])
  })

  it('and not validated leaves the outcome unknown, and is not followed by another execution', async () => {
    const given = { ...onInvalid, ...finding({ notValidated: 'this took too long' }) }
    const { report, started, settled } = await followRetried([succeeded, succeeded], given)

    expect([report.conclusion, started]).toEqual(['unknown', ['e-1']])
    expect(report).toMatchObject({
      notValidated: 'this took too long',
      attempts: [{ conclusion: 'unknown' }],
    })
    expect(settled).toEqual([report])
  })

  it('does not count as valid if the step was cancelled during the check', async () => {
    const cancellation = new AbortController()
    const checkResult = () => {
      cancellation.abort()
      return Promise.reject(new Error('the runner sent SIGINT'))
    }
    const given = { checkResult, cancelled: cancellation.signal }
    expect((await followRetried([succeeded], given)).report.conclusion).toBe('cancelled')
    const broken = { checkResult: () => Promise.reject(new Error('a bug')) }
    await expect(followRetried([succeeded], broken)).rejects.toThrow()
  })
})

describe('a result that could not be fetched or checked', () => {
  // The store of these runs refuses every download.
  const kept = { checks: [{ ...finished, result_url: 'https://store.test/result' }] }

  it('leaves a success a success', async () => {
    const { report } = await followRetried([kept], finding(undefined))
    expect(report).toMatchObject({
      conclusion: 'success',
      files: { result: { kind: 'unavailable' } },
    })
  })

  it('does not count as a success if the step was cancelled meanwhile', async () => {
    const cancellation = new AbortController()
    const onEnding = () => cancellation.abort()
    const given = { ...finding(undefined), cancelled: cancellation.signal, onEnding }
    expect((await followRetried([kept], given)).report.conclusion).toBe('cancelled')
  })
})

describe('a success of an earlier attempt', () => {
  it('ends invalid-result if its result does not match the schema, and starts nothing', async () => {
    const kept = { begin: { executionId: 'e-1' }, request }
    const followed = await followRetried([succeeded], { ...kept, ...finding(invalid) })

    expect(followed.report).toMatchObject({ executionId: 'e-1', conclusion: 'invalid-result' })
    expect([followed.started, followed.settled]).toEqual([[], [followed.report]])
  })
})
