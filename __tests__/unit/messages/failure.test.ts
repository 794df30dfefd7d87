import { describe, expect, it } from '@jest/globals'
import type { Ending } from '../../../src/execution/ending.ts'
import { describeEnd, describeLoss } from '../../../src/messages/failure.ts'
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
    ['credentials-refused', { kind: 'refused', status: undefined, failure }],
    ['checks-refused', { kind: 'rejected', status: undefined, failure }],
    ['unknown-start', { kind: 'unknown-start', status: undefined, failure }],
    ['not-started', { kind: 'not-started', status: undefined, failure }],
  ])('as %s', (title, ending) => {
    expect(describeEnd({ ending }, facts)).toMatchObject({ title })
  })

  it.each<[string, boolean, RegExp, string]>([
    [
      'artifact',
      true,
      /^Look at the result in the artifact, .* without a new run: \S+\/wait@v1 with execution-id \S+ and the new result-schema \(/,
      '2 problems in all; see the summary.',
    ],
    ['runner', false, /^Look at the result \(the output result-file/, '2 problems in all.'],
    ['nowhere', false, /^Let the automation keep its result/, '2 problems in all.'],
  ])('with advice for where the result is: %s', (place, hasSummary, next, more) => {
    const ending = { kind: 'finished', outcome: 'invalid-result', status: finished } as const
    const lines = ['The result: array', 'The result: array']
    const resultProblems = { lines, count: 2 }
    const log = { kind: 'not-kept' } as const
    const result = place === 'nowhere' ? log : kept
    const files = { folder: '/tmp', result, log }
    const report = reportOf({ conclusion: ending.outcome, ending, files, resultProblems })

    expect(
      describeEnd(report, { ...facts, hasArtifact: place === 'artifact', hasSummary }),
    ).toMatchObject({
      happened: lines[0],
      next: expect.stringMatching(next),
      more,
    })
  })

  it('not at all where it is a success', () => {
    expect(describeEnd(reportOf(), facts)).toBeUndefined()
  })
})

it('no re-run is advised where the credentials were refused: others can read no record', () => {
  const remedies = { executionId: 'e-1', isTakenOver: true, show }
  const lost = { title: 'result-not-fetched', why: 'the service answered 401' } as const
  expect(describeLoss(lost, remedies).next).toMatch(/^Re-run this job/)
  expect(describeLoss({ ...lost, isRefused: true }, remedies).next).toMatch(
    /^Check api-token, .* then fetch it with/,
  )
})
