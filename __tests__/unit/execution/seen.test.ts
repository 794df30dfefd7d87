import { describe, expect, it } from '@jest/globals'
import type { ExecutionStatus } from '../../../src/service/contract.ts'
import {
  MalformedAnswerError,
  NetworkError,
  RedirectError,
  ServiceError,
} from '../../../src/service/service-errors.ts'
import {
  afterAnswer,
  afterFailure,
  graceEnds,
  nothingSeen,
  proofIn,
  type Seen,
} from '../../../src/execution/seen.ts'
import { record } from '../../support/execution-status.ts'
import { connectionReset, httpError } from '../../support/failures.ts'

type Result = Partial<ExecutionStatus> | ServiceError
/** The seconds of checks, each followed by the result that came then. */
type Checks = readonly (number | Result)[]

function see(checks: Checks): Seen {
  let [seen, at] = [nothingSeen, 0]
  for (const each of checks) {
    if (typeof each === 'number') at = each * 1_000
    else if (each instanceof ServiceError) seen = afterFailure(seen, each, at)
    else seen = afterAnswer(seen, record(each), at)
  }
  return seen
}

const running = {}
const flagged = { error: true }
const stopped = { stopped: true }
const http = (status: number) => httpError(status)
const proven = (status: number) => httpError(status, { isProven: true })
const page = (status: number) => httpError(status, { isWebPage: true })
const malformed = new MalformedAnswerError({ status: 200, headers: {} }, 'no flags', false)

describe('an end is proved by', () => {
  it.each<[string, Checks]>([
    ['success', [0, { finished: true }]],
    ['success', [0, flagged, 5, running, 9, { finished: true }]],
    ['error', [0, { finished: true, error: true }]],
    ['container-error', [0, { finished: true, error: true, container_error: true }]],
    ['stopped', [0, { finished: true, stopped: true }]],
    // A flag without `finished` counts after 30 s.
    ['error', [0, flagged, 30, flagged]],
    ['stopped', [0, stopped, 29, stopped, 31, stopped]],
    ['error', [0, flagged, 30, connectionReset()]],
    // The flag may change. The 30 s go on.
    ['stopped', [0, flagged, 30, stopped]],
    ['credentials', [0, http(401)]],
    ...[401, 403].map((status): [string, Checks] => [
      'credentials',
      [0, running, 5, proven(status), 35, proven(status)],
    ]),
    ['not-found', [0, http(404), 30, http(404)]],
    ['not-found', [0, running, 5, http(404), 35, http(404)]],
    ...[400, 405, 410, 422].map((status): [string, Checks] => [
      'rejected',
      [0, http(status), 300, http(status)],
    ]),
    ...[401, 403, 404].map((status): [string, Checks] => [
      'rejected',
      [0, page(status), 300, page(status)],
    ]),
    // A refusal that is final counts more than an earlier status.
    ['credentials', [0, flagged, 40, http(401)]],
  ])('%s: %j', (expected, checks) => {
    const proof = proofIn(see(checks))

    expect(proof && (proof.kind === 'lost' ? proof.why : proof.outcome)).toBe(expected)
  })
})

describe('no end is proved by', () => {
  it.each<[Checks]>([
    [[]],
    [[0, running]],
    [[0, flagged]],
    [[0, flagged, 29.999, flagged]],
    // The flag was taken back, so the 30 s begin anew.
    [[0, flagged, 10, running, 20, flagged, 49, flagged]],
    [[0, http(404), 29.999, http(404)]],
    [[0, http(400), 299.999, http(400)]],
    // The service has accepted these credentials before, so it may accept them again.
    [[0, running, 5, proven(401), 34.999, proven(401)]],
    [[0, running, 5, proven(401), 20, running, 40, proven(401)]],
    // Any other answer or error begins the grace anew.
    ...[running, http(502), http(400), page(404), connectionReset()].map((other): [Checks] => [
      [0, http(404), 20, other, 30, http(404), 59, http(404)],
    ]),
    ...[running, http(502), http(422), page(400), connectionReset()].map((other): [Checks] => [
      [0, http(400), 200, other, 300, http(400), 599, http(400)],
    ]),
    // Other errors may pass, however long they last.
    ...[408, 409, 429, 500, 503].map((status): [Checks] => [
      [0, http(status), 9_999, http(status)],
    ]),
    ...[malformed, connectionReset(), page(502), new RedirectError(308, '/', undefined)].map(
      (failure): [Checks] => [[0, failure, 9_999, failure]],
    ),
  ])('%j', (checks) => {
    expect(proofIn(see(checks))).toBeUndefined()
  })
})

describe('the value', () => {
  it('counts all checks, and the failed checks since the last answer', () => {
    const seen = see([0, http(500), 1, running, 2, http(500), 3, http(502)])

    expect(seen).toMatchObject({ checks: 4, failedChecks: 3, failures: 2, at: 3_000 })
    expect(seen.status).toEqual(record(running))
    expect(afterAnswer(seen, record(running), 4_000)).toMatchObject({
      checks: 5,
      failedChecks: 3,
      failures: 0,
      failure: undefined,
      heldUntil: -Infinity,
    })
  })

  it('holds the next check as long as Retry-After says', () => {
    expect(see([5, httpError(429, { retryAfter: 7_000 })]).heldUntil).toBe(12_000)
    expect(see([5, http(503)]).heldUntil).toBe(5_000)
  })

  it('says when a running grace ends', () => {
    expect(graceEnds(see([5, http(404)]))).toEqual([35_000, Infinity])
    expect(graceEnds(see([5, proven(403)]))).toEqual([35_000, Infinity])
    expect(graceEnds(see([5, page(403)]))).toEqual([305_000, Infinity])
    expect(graceEnds(see([5, flagged, 6, http(500)]))).toEqual([Infinity, 35_000])
    expect(graceEnds(see([5, running]))).toEqual([Infinity, Infinity])
  })

  it('keeps a redirect and a network error apart from refusals', () => {
    const network = new NetworkError('no answer', { mayHaveArrived: true })

    expect(see([0, network]).refusedSince).toBe(Infinity)
    expect(see([0, http(404), 1, network]).refusedSince).toBe(Infinity)
  })
})
