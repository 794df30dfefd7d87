/** What the check of a result, and one that is gone, make of an execution. */
import { describe, expect, it } from '@jest/globals'
import type { RetriableOutcome } from '../../../src/execution/conclusion.ts'
import type { ResultProblems } from '../../../src/execution/result-problems.ts'
import { followRetried, raised, request, succeeded } from '../../support/retried-run.ts'

const invalid: ResultProblems = { lines: ['expected an array'], count: 1 }
/** What is wrong with the result of the first execution that is checked, the second … */
const finding = (...problems: (ResultProblems | undefined)[]) => ({
  checkResult: () => Promise.resolve(problems.shift()),
})
const onInvalid = { retryOn: new Set<RetriableOutcome>(['invalid-result']) }

describe('a result that is checked', () => {
  it('is what the end of a run depends on, which is reported once', async () => {
    const { report, ended, settled } = await followRetried([succeeded], finding(invalid))

    expect(report).toMatchObject({ conclusion: 'invalid-result', resultProblems: invalid })
    expect(report.ending).toMatchObject({ kind: 'finished', outcome: 'invalid-result' })
    expect(report.attempts).toMatchObject([{ conclusion: 'invalid-result' }])
    expect([ended, settled]).toEqual([['success'], [report]])
  })

  it('and is valid leaves a success one, which is reported only then', async () => {
    const { report, settled } = await followRetried([succeeded], finding(undefined))

    expect(report).toMatchObject({ conclusion: 'success', files: { folder: 'folder-1' } })
    expect(settled).toEqual([report])
    const [unchecked] = (await followRetried([succeeded])).settled
    expect(unchecked).toMatchObject({ conclusion: 'success', files: undefined })
  })

  it('is one of a success alone', async () => {
    const { report, settled } = await followRetried([raised], finding(invalid))
    expect(report.conclusion).toBe('error')
    expect(settled).toMatchObject([{ conclusion: 'error', files: undefined }])
    const open = await followRetried([{ checks: [{}] }], finding(invalid))
    expect(open.report.conclusion).toBe('timed-out')
  })

  it('and invalid is followed by another execution where retry-on names that', async () => {
    const given = { ...onInvalid, ...finding(invalid, undefined) }
    const { report, settled } = await followRetried([succeeded, succeeded], given)

    expect(report.attempts).toMatchObject([
      { executionId: 'e-1', conclusion: 'invalid-result' },
      { executionId: 'e-2', conclusion: 'success' },
    ])
    expect(settled).toEqual([report])
  })

  it('and could not be checked in time is followed by none: it would run out of time again', async () => {
    const unchecked = { ...invalid, isUnchecked: true }
    const given = { ...onInvalid, ...finding(unchecked) }
    const { report, started } = await followRetried([succeeded, succeeded], given)

    expect([report.conclusion, started]).toEqual(['invalid-result', ['e-1']])
  })

  it('is not known to be valid where the step was cancelled meanwhile', async () => {
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

describe('what an earlier attempt has seen to succeed', () => {
  const kept = { begin: { executionId: 'e-1', isKept: true }, request }

  it('makes place for another execution where its result is invalid today', async () => {
    const given = { ...kept, ...finding(invalid, undefined) }
    const { report, started, outdated, removed } = await followRetried(
      [succeeded, succeeded],
      given,
    )

    expect(report.attempts).toMatchObject([{ executionId: 'e-2', conclusion: 'success' }])
    expect(outdated).toMatchObject([{ executionId: 'e-1', resultProblems: invalid }])
    expect([started, removed]).toEqual([['e-2'], ['folder-1']])
  })

  it.each([
    ['its result is valid', kept, undefined, 'success'],
    ['it was not kept', { ...kept, begin: { executionId: 'e-1' } }, invalid, 'invalid-result'],
    ['nothing may be started', { begin: kept.begin }, invalid, 'invalid-result'],
  ])('stays where %s', async (_, given, problems, conclusion) => {
    const followed = await followRetried([succeeded], { ...given, ...finding(problems) })

    expect(followed.report).toMatchObject({ executionId: 'e-1', conclusion })
    expect([followed.started, followed.outdated]).toEqual([[], []])
    expect(followed.settled).toEqual([followed.report])
  })

  it('is lost where it left a result to which there is no link any more', async () => {
    const begin = { executionId: 'e-1', leftResult: true }
    const { report } = await followRetried([succeeded], { begin })
    const gone = { kind: 'unavailable', why: 'the service no longer has it', obstacle: 'gone' }
    expect(report).toMatchObject({ conclusion: 'success', files: { result: gone } })

    const never = await followRetried([succeeded], { begin: { ...begin, leftResult: false } })
    const failed = await followRetried([raised], { begin })
    for (const { files } of [never.report, failed.report]) {
      expect(files?.result).toEqual({ kind: 'not-kept' })
    }
  })
})
