import { describe, expect, it } from '@jest/globals'
import type { Collected, End } from '../../../src/execution/report.ts'
import { noRetries } from '../../../src/execution/follow-run.ts'
import { failureOfEnd, type EndFacts } from '../../../src/messages/failure.ts'
import { failureOfLoss } from '../../../src/messages/loss.ts'
import { NetworkError } from '../../../src/service/service-errors.ts'
import { running } from '../../support/execution-status.ts'
import { httpError } from '../../support/failures.ts'
import { collected, invalid, lost, noFiles, timedOut } from '../../support/run-report.ts'

const facts: EndFacts = {
  automation: 'daily',
  rerunTakesOver: false,
  resultPlace: '(output result-file)',
  timeout: 1_000,
  retrying: noRetries,
}
const failure = httpError(401, { words: 'no' })
const kept = {
  kind: 'file',
  path: '/tmp/result.json',
  size: 1,
  mediaType: 'application/json',
} as const

describe('an end is described', () => {
  it('with its first problem if the result is invalid, and the number of all problems', () => {
    const lines = ['The result: array', 'The result: array']
    expect(failureOfEnd(collected({ validation: invalid(...lines) }), facts)).toMatchObject({
      why: [
        lines[0],
        'The result has 2 problems. The summary (output summary-file) has the first 2.',
      ],
    })
  })

  const late = (status: number, wasSeen = false): End => {
    const failure = httpError(status, { words: 'no' })
    return timedOut({ status: wasSeen ? running : undefined, failure, failedChecks: 1 })
  }
  const file = { ...kept, path: '/tmp/run.log' }
  const ended = (outcome: Collected['outcome'], given: Partial<Collected> = {}) =>
    collected({ outcome, files: { ...noFiles, log: file }, ...given })
  const wrong = collected({ files: { ...noFiles, result: kept }, validation: invalid('no') })
  const notValidated = collected({ validation: { kind: 'not-made', why: 'this took too long' } })
  // The action wait knows no automation.
  const waiting = { automation: undefined }
  const retryOn = new Set(['error', 'container-error'])
  const unused = { retrying: { retries: 0, retryOn } }

  const advised: Record<string, [End, Partial<EndFacts>?]> = {
    'timed out after 404 alone': [late(404), waiting],
    'timed out after 404 and a proper answer': [late(404, true), waiting],
    'timed out after 503': [late(503), waiting],
    'timed out after 400': [late(400), waiting],
    'an error of a run of this step': [ended('error')],
    'an error of a run that was waited for': [ended('error'), waiting],
    'a crash that retry-on names, without retries': [ended('container-error'), unused],
    'a crash with retries': [ended('container-error'), { retrying: { retries: 2, retryOn } }],
    'an error that retry-on names, without retries': [ended('error'), unused],
    'a crash of a run that was waited for': [ended('container-error'), waiting],
    'an invalid result in an artifact': [wrong, { resultPlace: 'in the artifact' }],
    'an invalid result without an artifact': [wrong],
    'an invalid result that was not kept': [collected({ validation: invalid('no') })],
    'a result not validated': [notValidated],
    'not found, a run of this step': [lost('not-found', failure)],
    'not found, a run that was waited for': [lost('not-found', failure), waiting],
    'no longer watched, a run of this step': [lost('rejected', httpError(422))],
    'no longer watched, a run that was waited for': [lost('rejected', httpError(422)), waiting],
  }

  it('with advice that fits what is known of the run', () => {
    const texts = Object.entries(advised).map(([name, [end, given]]) => {
      const timeout = end.kind === 'timed-out' ? 0 : facts.timeout
      return `${name}: ${failureOfEnd(end, { ...facts, timeout, ...given })?.next}`
    })
    expect(texts.join('\n')).toMatchSnapshot()
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
    'no connection',
    new NetworkError('no', unreached),
    /^Check that this runner can reach store\.example \(firewall, proxy\), then re-run this job/,
  ],
])('a lost result leads to advice about the failure: %s', (_what, failure, next) => {
  const result = { kind: 'unavailable', why: 'result.part: no', failure } as const
  const end = collected({ files: { ...noFiles, result } })
  expect(failureOfLoss(end, undefined, true)).toMatchObject({
    why: [
      expect.stringMatching(
        /^The run(ner's disk is full \(RUNNER_TEMP\)\.| succeeded).* its result.* could not be .* \(result\.part: no\)\.$/,
      ),
    ],
    next: expect.stringMatching(next),
  })
})
