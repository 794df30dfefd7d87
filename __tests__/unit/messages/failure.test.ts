import { describe, expect, it } from '@jest/globals'
import type { Obstacle } from '../../../src/download/download.ts'
import type { Ending } from '../../../src/execution/ending.ts'
import type { ExecutionReport } from '../../../src/execution/execution-report.ts'
import { describeEnd } from '../../../src/messages/failure.ts'
import { describeLoss } from '../../../src/messages/loss.ts'
import type { ExecutionStatus } from '../../../src/service/contract.ts'
import { HttpError } from '../../../src/service/errors.ts'
import { reportOf } from '../../support/execution-report.ts'
import { finished } from '../../support/execution-status.ts'

const show = (text: string) => text
const facts = { isTakenOver: false, isCancelled: false, timeout: 1_000, show }
const failure = new HttpError({ status: 401, key: undefined, words: 'no' })

const kept = {
  kind: 'file',
  path: '/tmp/result.json',
  size: 1,
  mediaType: 'application/json',
  unknownEncoding: undefined,
} as const

describe('an end is described', () => {
  it.each<[string, Ending]>([
    ['cancelled', { kind: 'cancelled', status: undefined }],
    ['not-found', { kind: 'not-found', status: undefined, failure }],
    ['no-longer-watched', { kind: 'refused', status: undefined, failure }],
    ['no-longer-watched', { kind: 'rejected', status: undefined, failure }],
    ['unknown-start', { kind: 'unknown-start', status: undefined, failure }],
    ['not-started', { kind: 'not-started', status: undefined, failure }],
  ])('as %s', (title, ending) => {
    expect(describeEnd({ ending }, facts)).toMatchObject({ title })
  })

  it.each<[string, RegExp]>([
    [
      'kept',
      /^Look at the result .* check this same result: fetch it with \S+\/wait@v1 and execution-id \S+\.$/,
    ],
    ['not kept', /^Let the automation keep its result/],
  ])('with advice for a result that is %s', (place, next) => {
    const ending = { kind: 'finished', outcome: 'invalid-result', status: finished } as const
    const lines = ['The result: array', 'The result: array']
    const resultProblems = { lines, count: 2 }
    const log = { kind: 'not-kept' } as const
    const files = { folder: '/tmp', result: place === 'kept' ? kept : log, log }
    const report = reportOf({ conclusion: ending.outcome, ending, files, resultProblems })

    expect(describeEnd(report, facts)).toMatchObject({
      happened: lines[0],
      next: expect.stringMatching(next),
      more: 'Problems: 2 in all; the first 2 are in the summary (output summary-file).',
    })
  })

  it.each<[string, number, ExecutionStatus | undefined, RegExp]>([
    [
      '404 alone',
      404,
      undefined,
      /^Check the execution id, .* account that started it; then fetch/,
    ],
    [
      '404 after a proper answer',
      404,
      finished,
      /^Check status-base-url \(or base-url\), and whether/,
    ],
    ['503', 503, undefined, /^Check status-base-url \(or base-url\), and whether/],
    ['400', 400, undefined, /^Check status-base-url \(or base-url\) and the execution id; then/],
  ])('as timed out, with advice for answers of %s', (_, code, status, next) => {
    const failure = new HttpError({ status: code, key: undefined, words: 'no' })
    const ending = { kind: 'timed-out', status, failure, failedChecks: 1 } as const
    expect(describeEnd({ ending, executionId: 'e-1' }, { ...facts, timeout: 0 })).toMatchObject({
      title: 'timed-out',
      next: expect.stringMatching(next),
    })
  })

  it.each<[string, Partial<ExecutionReport>, string]>([
    ['of a run of this step', {}, 'Fix the automation, then re-run this job.'],
    [
      'of a run that was waited for',
      { automation: undefined },
      'Fix the automation, then start a new run.',
    ],
    [
      'of a run without a log',
      { files: { folder: '/tmp', result: kept, log: { kind: 'not-kept' } } },
      "Fix the automation, then re-run this job. It kept no log that says why: let it keep its log (in the service's dashboard) for later runs.",
    ],
    [
      'of a run whose log may be there later',
      {
        ending: { kind: 'finished', outcome: 'error', status: { ...finished, finished: false } },
        files: { folder: '/tmp', result: kept, log: { kind: 'not-kept' } },
      },
      'Fix the automation, then re-run this job.',
    ],
  ])('as an error, with advice %s', (_, given, next) => {
    const ending = { kind: 'finished', outcome: 'error', status: finished } as const
    const report = reportOf({ conclusion: 'error', ending, ...given })
    expect(describeEnd(report, facts)).toMatchObject({ next })
  })

  it.each<[string, Partial<ExecutionReport>, number, string]>([
    ['without retries', {}, 0, 'With the input retries, a run that dies is started again.'],
    ['with retries', {}, 2, 're-run this job.'],
    ['that was waited for', { automation: undefined }, 0, 'start a new run.'],
  ])('as a crash of a run %s, with advice', (_, given, retries, end) => {
    const ending = { kind: 'finished', outcome: 'container-error', status: finished } as const
    const report = reportOf({ conclusion: 'container-error', ending, ...given })
    expect(describeEnd(report, { ...facts, retries })?.next).toMatch(new RegExp(`${end}$`))
  })

  it.each([
    ['daily', 'Check status-base-url: it must be the same service and account as base-url.'],
    [undefined, expect.stringMatching(/^Check the execution id, /)],
  ])('as not found, with advice for a run of %s', (automation, next) => {
    const ending = { kind: 'not-found', status: undefined, failure } as const
    expect(describeEnd({ ending, automation }, facts)).toMatchObject({ next })
  })

  it('not at all where it is a success', () => {
    expect(describeEnd(reportOf(), facts)).toBeUndefined()
  })
})

it.each<[Obstacle | undefined, RegExp]>([
  [
    undefined,
    /^Re-run this job: it takes this run over and starts none beside it\. Elsewhere: fetch/,
  ],
  // Others can read no record.
  ['credentials', /^Check api-token, .* then fetch it with/],
  ['gone', /^It comes back only with a new workflow run, which starts a new run\.$/],
  ['disk', /^When the file can be written, re-run this job/],
  ['disk-full', /^Free space before this step, or use a larger runner; then re-run this job/],
] as const)(
  'a result that was lost comes with advice on what is in the way: %s',
  (obstacle, next) => {
    const lost = { title: 'result-not-fetched', why: 'result.part: no', obstacle } as const
    const failure = describeLoss(lost, { executionId: 'e-1', isTakenOver: true, show })
    expect(failure.happened).toMatch(
      /^The run(ner's disk is full \(RUNNER_TEMP\)\.| succeeded).* its result.* could not be .* \(result\.part: no\)\.$/,
    )
    expect(failure.next).toMatch(next)
  },
)
