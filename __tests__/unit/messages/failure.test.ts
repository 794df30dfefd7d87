import { describe, expect, it } from '@jest/globals'
import { UnusableLinkError } from '../../../src/download/store.ts'
import type { Ending } from '../../../src/execution/ending.ts'
import type { ExecutionReport } from '../../../src/execution/execution-report.ts'
import { describeEnd, type EndFacts } from '../../../src/messages/failure.ts'
import { describeLoss } from '../../../src/messages/loss.ts'
import type { ExecutionStatus } from '../../../src/service/contract.ts'
import { HttpError, NetworkError } from '../../../src/service/errors.ts'
import { reportOf } from '../../support/execution-report.ts'
import { finished } from '../../support/execution-status.ts'

const show = (text: string) => text
const cancelled = new AbortController().signal
const inputs = { timeout: 1_000, retries: 0, retryOn: new Set<string>() }
const facts: EndFacts = { isTakenOver: false, cancelled, hasArtifact: false, ...inputs, show }
const failure = new HttpError({ status: 401, key: undefined, words: 'no' })

const kept = {
  kind: 'file',
  path: '/tmp/result.json',
  size: 1,
  mediaType: 'application/json',
} as const

const notKept = { kind: 'not-kept' } as const

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

  it.each(['kept', 'not kept'])('with its first problem if the result is invalid: %s', (place) => {
    const ending = { kind: 'finished', outcome: 'invalid-result', status: finished } as const
    const lines = ['The result: array', 'The result: array']
    const resultProblems = { lines, count: 2 }
    const files = { folder: '/tmp', result: place === 'kept' ? kept : notKept, log: notKept }
    const report = reportOf({ conclusion: ending.outcome, ending, files, resultProblems })

    expect(describeEnd(report, facts)).toMatchObject({
      happened: lines[0],
      next: expect.stringMatching(place === 'kept' ? /output result-file/ : /keep its result/),
      more: 'The result has 2 problems. The summary (output summary-file) has the first 2.',
    })
  })

  const timedOut = (code: number, status?: ExecutionStatus): Partial<ExecutionReport> => {
    const failure = new HttpError({ status: code, key: undefined, words: 'no' })
    return { ending: { kind: 'timed-out', status, failure, failedChecks: 1 } }
  }
  const ended = (outcome: 'error' | 'container-error', status = finished) =>
    reportOf({ conclusion: outcome, ending: { kind: 'finished', outcome, status } })
  const invalid: Partial<ExecutionReport> = {
    ending: { kind: 'finished', outcome: 'invalid-result', status: finished },
    conclusion: 'invalid-result',
    resultProblems: { lines: ['no'], count: 1 },
    files: { folder: '/tmp', result: kept, log: notKept },
    automation: 'daily',
  }
  const notValidated: Partial<ExecutionReport> = {
    ending: { kind: 'finished', outcome: 'success', status: finished },
    conclusion: 'unknown',
    notValidated: 'this took too long',
    automation: 'daily',
  }
  const withoutLog = { files: { folder: '/tmp', result: kept, log: notKept } }
  const unknown = { automation: undefined }
  const unused = { retries: 0, retryOn: new Set<string>(['error', 'container-error']) }
  const notFound: Ending = { kind: 'not-found', status: undefined, failure }
  const rejected: Ending = { kind: 'rejected', status: undefined, failure }

  const advised: Record<string, [Partial<ExecutionReport>, Partial<EndFacts>?]> = {
    'timed out after 404 alone': [timedOut(404)],
    'timed out after 404 and a proper answer': [timedOut(404, finished)],
    'timed out after 503': [timedOut(503)],
    'timed out after 400': [timedOut(400)],
    'an error of a run of this step': [ended('error')],
    'an error of a run that was waited for': [{ ...ended('error'), ...unknown }],
    'an error of a run without a log': [{ ...ended('error'), ...withoutLog }],
    'an error of a run whose log may be there later': [
      { ...ended('error', { ...finished, finished: false }), ...withoutLog },
    ],
    'a crash that retry-on names, without retries': [ended('container-error'), unused],
    'a crash with retries': [ended('container-error'), { ...unused, retries: 2 }],
    'an error that retry-on names, without retries': [ended('error'), unused],
    'a crash of a run that was waited for': [{ ...ended('container-error'), ...unknown }],
    'an invalid result in an artifact': [invalid, { hasArtifact: true }],
    'an invalid result without an artifact': [invalid],
    'a result not validated': [notValidated, { isTakenOver: true }],
    'a result not validated, without a record': [notValidated],
    'a result not validated, of a run that was waited for': [{ ...notValidated, ...unknown }],
    'not found, a run of this step': [{ ending: notFound, automation: 'daily' }],
    'not found, a run that was waited for': [{ ending: notFound }],
    'no longer watched, a run of this step': [{ ending: rejected, automation: 'daily' }],
    'no longer watched, a run that was waited for': [{ ending: rejected }],
  }

  it('with advice that fits what is known of the run', () => {
    const texts = Object.entries(advised).map(([name, [report, given]]) => {
      const timeout = report.ending?.kind === 'timed-out' ? 0 : facts.timeout
      const { ending = { kind: 'cancelled', status: undefined } } = report
      const known = { executionId: 'e-1', ...report, ending }
      return `${name}: ${describeEnd(known, { ...facts, timeout, ...given })?.next}`
    })
    expect(texts.join('\n')).toMatchSnapshot()
  })

  it('not at all if it is a success', () => {
    expect(describeEnd(reportOf(), facts)).toBeUndefined()
  })
})

const unreached = { mayHaveArrived: false, host: 'store.example' }

it.each<[string, unknown, RegExp]>([
  ['any', new Error('no'), /^Re-run this job: it takes over this run\. Or fetch/],
  // With other credentials, a re-run finds no record.
  ['refused credentials', failure, /^Check api-token, .* then fetch the run with/],
  [
    'a full disk',
    Object.assign(new Error('no'), { code: 'ENOSPC' }),
    /^Free space before this step, or use a larger runner; then re-run this job/,
  ],
  [
    'an unusable link',
    new UnusableLinkError('no'),
    /^Report the link to the provider of the service\. After a fix, re-run this job/,
  ],
  [
    'no connection',
    new NetworkError('no', unreached),
    /^Check that this runner can reach store\.example \(firewall, proxy\), then re-run this job/,
  ],
])('a lost result leads to advice about the failure: %s', (_what, failure, next) => {
  const lost = { title: 'result-not-fetched', why: 'result.part: no', failure } as const
  const described = describeLoss(lost, { executionId: 'e-1', isTakenOver: true, show })
  expect(described.happened).toMatch(
    /^The run(ner's disk is full \(RUNNER_TEMP\)\.| succeeded).* its result.* could not be .* \(result\.part: no\)\.$/,
  )
  expect(described.next).toMatch(next)
})
