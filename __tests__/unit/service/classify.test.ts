import { expect, it } from '@jest/globals'
import {
  MalformedAnswerError,
  NetworkError,
  NotSentError,
  RedirectError,
} from '../../../src/service/service-errors.ts'
import { classify, judgeAnswer, type StartProof } from '../../../src/service/classify.ts'
import { connectionRefused, connectionReset, httpError } from '../../support/failures.ts'

const wait = { retryAfter: 0 }
const proven = { isProven: true }
const ambiguous = [408, 500, 501, 502, 504, 507, 520, 599]
const refusals = [400, 402, 404, 405, 409, 410, 413, 415, 422, 431]

it.each<[StartProof, StartProof, number[], object]>([
  ['unclear', 'accepted', ambiguous, {}],
  ['unclear', 'accepted', ambiguous, wait],
  ['unclear', 'unclear', [503], {}],
  ['again', 'unclear', [429], {}],
  ['again', 'unclear', [429, 503], wait],
  ['again', 'unclear', [429, 503], { retryAfter: 5_000 }],
  ['again', 'refused', [401, 403], proven],
  ['refused', 'refused', [401, 403], { ...proven, isWebPage: true }],
  ['refused', 'refused', [401, 403], {}],
  ['refused', 'refused', [401, 403], wait],
  ['refused', 'refused', refusals, { ...proven, ...wait }],
])('a start is %s without an id and %s with one after %j %j', (withoutId, withId, all, more) => {
  for (const status of all) {
    expect([status, classify(httpError(status, more))]).toEqual([status, withoutId])
    const proof = judgeAnswer(httpError(status, { ...more, executionId: 'e-1' }))
    expect([status, proof]).toEqual([status, withId])
  }
})

it.each<[StartProof, StartProof, number[]]>([
  ['refused', 'refused', [301, 307, 308]],
  ['unclear', 'accepted', [300, 302, 303, 304]],
])('a start is %s without an id and %s with one after redirects %j', (withoutId, withId, all) => {
  for (const status of all) {
    expect(classify(new RedirectError(status, '/x', undefined))).toBe(withoutId)
    expect(judgeAnswer(new RedirectError(status, '/x', 'e-1'))).toBe(withId)
  }
})

it.each([
  ['again', connectionRefused()],
  ['not-sent', new NotSentError('no more are started')],
  ['not-sent', new NetworkError('bad certificate', { mayHaveArrived: false, isFinal: true })],
  ['unclear', connectionReset()],
  ['unclear', new MalformedAnswerError({ status: 200, headers: {} }, 'no id', false)],
  // The client returns an accepted start as a value.
  ['unclear', httpError(500, { executionId: 'e-1' })],
  ['unclear', new TypeError('a bug of the action')],
  ['unclear', undefined],
])('a start is %s after %s', (kind, failure) => expect(classify(failure)).toBe(kind))
