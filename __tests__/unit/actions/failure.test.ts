import { describe, expect, it } from '@jest/globals'
import { failureOf, type Judging } from '../../../src/actions/failure.ts'
import type { Published } from '../../../src/actions/publish.ts'
import type { DownloadedFile } from '../../../src/download/download.ts'
import type { Conclusion } from '../../../src/execution/conclusion.ts'
import type { Ending } from '../../../src/execution/ending.ts'
import type { ExecutionReport } from '../../../src/execution/execution-report.ts'
import type { ResultPlace } from '../../../src/messages/advice.ts'
import type { Failure } from '../../../src/messages/failure.ts'
import type { Step } from '../../../src/runner/step.ts'
import { HttpError } from '../../../src/service/errors.ts'
import { reportOf } from '../../support/execution-report.ts'
import { finished } from '../../support/execution-status.ts'
import { recordedStep } from './recorded-step.ts'

const all = new Set(['error', 'container-error', 'stopped', 'timed-out', 'invalid-result'] as const)
const none = new Set<never>()
const usual = {
  timeout: 1_000,
  printResult: true,
  isTakenOver: false,
  resultPlace: 'artifact',
  hasSummary: true,
} as const
const refusal = new HttpError({ status: 401, key: undefined, words: 'no' })

/** A step that has an output to set, for which there may be no room. */
function step({ full = false } = {}): Step {
  const { step } = recordedStep({ outputsTaken: full ? 0 : Infinity })
  step.outputs.set('conclusion', 'success')
  return step
}

interface Given {
  failOn?: Judging['failOn']
  given?: Step
  lostCopies?: Published['lostCopies']
  /** Other than usual. */
  judging?: Partial<Judging>
}

function failureWith(
  report: Partial<ExecutionReport>,
  { failOn = all, given = step(), lostCopies = [], judging = {} }: Given = {},
): Failure | undefined {
  return failureOf(reportOf(report), { lostCopies }, { ...usual, failOn, ...judging }, given)
}

function titleOf(...given: Parameters<typeof failureWith>): string | undefined {
  return failureWith(...given)?.title
}

describe('a step fails', () => {
  it.each(['error', 'container-error', 'stopped', 'timed-out', 'invalid-result'] as const)(
    'for %s where fail-on names it, and only there',
    (conclusion) => {
      const end: Ending =
        conclusion === 'timed-out'
          ? { kind: conclusion, status: finished, failure: undefined, failedChecks: 0 }
          : { kind: 'finished', outcome: conclusion, status: finished }
      expect(titleOf({ conclusion, ending: end })).toBe(conclusion)
      expect(titleOf({ conclusion, ending: end }, { failOn: none })).toBeUndefined()
    },
  )

  it.each<[string, Conclusion, Ending]>([
    ['cancelled', 'cancelled', { kind: 'cancelled', status: undefined }],
    ['not-found', 'unknown', { kind: 'not-found', status: undefined, failure: refusal }],
    ['credentials-refused', 'unknown', { kind: 'refused', status: undefined, failure: refusal }],
    ['checks-refused', 'unknown', { kind: 'rejected', status: undefined, failure: refusal }],
    ['unknown-start', 'unknown', { kind: 'unknown-start', status: undefined, failure: refusal }],
    ['not-started', 'not-started', { kind: 'not-started', status: undefined, failure: refusal }],
  ])('as %s whatever fail-on says', (title, conclusion, ending) => {
    expect(titleOf({ conclusion, ending }, { failOn: none })).toBe(title)
  })

  it.each<[ResultPlace | undefined, boolean, RegExp, string]>([
    [
      'artifact',
      true,
      /^Look at the result in the artifact, .* without a new run: \S+\/wait@v1 with execution-id \S+ and the new result-schema \(/,
      '2 problems in all; see the summary.',
    ],
    ['runner', false, /^Look at the result \(the output result-file/, '2 problems in all.'],
    [undefined, false, /^Let the automation keep its result/, '2 problems in all.'],
  ])('with advice for where the result is: %s', (resultPlace, hasSummary, next, more) => {
    const ending = { kind: 'finished', outcome: 'invalid-result', status: finished } as const
    const problem = { place: '', expected: 'array', found: undefined }
    const resultProblems = { problems: [problem, problem], count: 2 }
    const report = { conclusion: ending.outcome, ending, resultProblems }

    expect(failureWith(report, { judging: { resultPlace, hasSummary } })).toMatchObject({
      next: expect.stringMatching(next),
      more,
    })
  })

  it('after a success whose result was kept and could not be fetched', () => {
    const log = { kind: 'not-kept' } as const
    const files = { folder: '/tmp', result: { kind: 'unavailable', why: 'cut' } as const, log }
    expect(titleOf({ files })).toBe('result-not-fetched')
  })

  it('with no re-run advised where the credentials were refused: others can read no record', () => {
    const log = { kind: 'not-kept' } as const
    const lost = { kind: 'unavailable', why: 'the service answered 401' } as const
    const nextOf = (result: DownloadedFile) =>
      failureWith({ files: { folder: '/tmp', result, log } }, { judging: { isTakenOver: true } })
        ?.next
    expect(nextOf(lost)).toMatch(/^Re-run this job/)
    expect(nextOf({ ...lost, isRefused: true })).toMatch(/^Check api-token, .* then fetch it with/)
  })

  it('for a copy or an output that could not be written, whatever the run came to', () => {
    const lostCopies = [{ input: 'result-file', why: 'full' } as const]
    expect(titleOf({}, { lostCopies })).toBe('copy-not-written')
    expect(titleOf({}, { given: step({ full: true }) })).toBe('outputs-not-written')
    expect(titleOf({ conclusion: 'error' }, { failOn: none, lostCopies })).toBe('copy-not-written')
  })
})

it('a step passes after a success of which nothing is missing', () => {
  expect(titleOf({})).toBeUndefined()
})
