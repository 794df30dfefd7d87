import { expect, it } from '@jest/globals'
import type { Collected, End } from '../../../src/execution/report.ts'
import { noRetries } from '../../../src/execution/follow-run.ts'
import { failureOfEnd, type EndFacts } from '../../../src/messages/failure.ts'
import { failureOfLoss } from '../../../src/messages/loss.ts'
import { NetworkError } from '../../../src/service/service-errors.ts'
import { longAdvice } from '../../support/advice.ts'
import { running } from '../../support/execution-status.ts'
import { httpError } from '../../support/failures.ts'
import {
  cancelled,
  collected,
  invalid,
  lost,
  noFiles,
  timedOut,
  unclear,
} from '../../support/run-report.ts'

const facts: EndFacts = {
  automation: 'daily',
  rerunTakesOver: false,
  resultPlace: '(output result-file)',
  timeout: 0,
  retrying: noRetries,
}
const refusal = httpError(401, { words: 'no' })
const file = { kind: 'file', path: '/tmp/result.json', size: 1, mediaType: '' } as const

const late = (status: number, wasSeen = false) => {
  const failure = httpError(status, { words: 'no' })
  return timedOut({ status: wasSeen ? running : undefined, failure, failedChecks: 1 })
}
const ended = (outcome: Collected['outcome']) => collected({ outcome })
const notKept = collected({ validation: invalid('no') })
const wrong = { ...notKept, files: { ...noFiles, result: file } }
const notValidated = collected({ validation: { kind: 'not-made', why: 'this took too long' } })
// The action wait knows no automation.
const waiting = { automation: undefined }
const onRecord = { rerunTakesOver: true }
const retryOn = new Set(['error', 'container-error'])
const retrying = (retries: number) => ({ retrying: { retries, retryOn } })

/** Returns the end of a successful run whose result was lost. */
function lostResult(failure: unknown) {
  const result = { kind: 'unavailable', why: 'result.part: no', failure } as const
  return collected({ files: { ...noFiles, result } })
}

const ends: [string, End, Partial<EndFacts>?][] = [
  ['timed out', timedOut(), { ...onRecord, timeout: 1_000 }],
  ['timed out after 404 alone', late(404), waiting],
  ['timed out after 404 and a proper answer', late(404, true), onRecord],
  ['timed out after 503', late(503), waiting],
  ['timed out after 400', late(400), waiting],
  ['cancelled', cancelled(), onRecord],
  ['an error of a run that was waited for', ended('error'), waiting],
  ['a crash that retry-on names, without retries', ended('container-error'), retrying(0)],
  ['a crash with retries', ended('container-error'), retrying(2)],
  ['a stop with retries', ended('stopped'), retrying(2)],
  ['an invalid result in an artifact', wrong, { resultPlace: 'in the artifact' }],
  ['an invalid result without an artifact', wrong],
  ['an invalid result that was not kept', notKept],
  ['a result not validated', notValidated],
  ['not found, a run of this step', lost('not-found', refusal)],
  ['not found, a run that was waited for', lost('not-found', refusal), waiting],
  ['no longer watched, a run of this step', lost('rejected', httpError(422)), onRecord],
  ['no longer watched, a run that was waited for', lost('rejected', httpError(422)), waiting],
  ['no longer allowed to watch', lost('credentials', refusal)],
  ['an unclear start', unclear(new Error('no'))],
]

const unreached = { mayHaveArrived: false, host: 'store.example' }
const full = Object.assign(new Error('no'), { code: 'ENOSPC' })

const losses: [string, Collected, outputsLost?: string][] = [
  ['a lost result', lostResult(new Error('no'))],
  // With other credentials, a re-run finds no record.
  ['a lost result, after refused credentials', lostResult(refusal)],
  ['a lost result, on a full disk', lostResult(full)],
  ['a lost result, without a connection', lostResult(new NetworkError('no', unreached))],
  ['lost outputs', collected(), 'read-only'],
  ['lost outputs, on a full disk', collected(), 'no space left on device (ENOSPC)'],
]

it('each failure has short advice that fits what is known of the run', () => {
  const failures = [
    ...ends.map(([name, end, given]) => ({ name, of: failureOfEnd(end, { ...facts, ...given }) })),
    ...losses.map(([name, end, why]) => ({ name, of: failureOfLoss(end, why, true) })),
  ]
  const texts = failures.map(({ name, of }) => `── ${name}\n${of?.why.join('\n')}\n${of?.next}`)
  expect(texts.join('\n\n')).toMatchSnapshot()
  expect(longAdvice(failures.map(({ of }) => of?.next ?? ''))).toEqual([])
})

it('an invalid result has its first problem, and the number of all problems', () => {
  const lines = ['The result: array', 'The result: array']
  expect(failureOfEnd(collected({ validation: invalid(...lines) }), facts)?.why).toEqual([
    lines[0],
    'The result has 2 problems. The summary (output summary-file) has the first 2.',
  ])
})
