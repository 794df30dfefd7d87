/** Every way in which a run, or the following of it, fails; the first of each is quoted in full. */
import { adviseOn, cancelledBefore } from '../../../src/messages/advice.ts'
import type { FailureKind } from '../../../src/messages/failure.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import {
  HttpError,
  MalformedAnswerError,
  NetworkError,
  notTheService,
  RedirectError,
  type ServiceError,
} from '../../../src/service/errors.ts'
import { classify } from '../../../src/service/send-at-most-once.ts'

type Samples = {
  [Kind in FailureKind['kind']]: readonly Extract<FailureKind, { kind: Kind }>[]
}

export const secrets = new Secrets(() => undefined)

export function answered(status: number, words: string, retryAfter?: number): HttpError {
  const asked = 'POST /api/start-automation/reports/word-report'
  return new HttpError({ status, words, key: 'detail', retryAfter, asked })
}

export function unreached(why: string): NetworkError {
  return new NetworkError(`automations.example.com: ${why}`, { mayHaveArrived: false })
}

const webPage = { status: 200, headers: { 'content-type': 'text/html' } }

/** Ends of a request that must not be sent twice, on each route alike. */
const failedRequests: readonly ServiceError[] = [
  answered(401, 'Authentication credentials were not provided'),
  answered(404, 'Not Found'),
  answered(429, 'Request was throttled'),
  answered(503, 'Service Unavailable', 300_000),
  new RedirectError(301, 'https://other.example.com/'),
  unreached('getaddrinfo ENOTFOUND automations.example.com'),
  unreached('connect ECONNREFUSED 192.0.2.7:443'),
  unreached('self-signed certificate'),
  unreached('no tunnel through the proxy: connect ECONNREFUSED 192.0.2.9:3128'),
  new NetworkError('automations.example.com: read ECONNRESET', { mayHaveArrived: true }),
  answered(503, 'Service Unavailable'),
  new RedirectError(302, 'https://login.example.com/'),
  new MalformedAnswerError(webPage, notTheService),
]

/** The service cannot have accepted these. */
export const refusals = failedRequests.filter((failure) => classify(failure) !== 'unknown')
/** It may have accepted these. */
export const unclear = failedRequests.filter((failure) => classify(failure) === 'unknown')

const refusedStarts = [
  ...refusals,
  answered(400, 'Invalid seed'),
  answered(403, 'This project does not exist'),
  answered(413, 'Request Entity Too Large'),
  answered(402, 'Your plan has run out of hours'),
].map((failure) => ({
  kind: 'not-started' as const,
  ...adviseOn(failure, 'start', { secrets }),
}))

const why = 'the store answered 404'
const full = 'no space left on disk (ENOSPC)'

export const failureSamples: Samples = {
  error: [{ kind: 'error' }],
  'container-error': [{ kind: 'container-error' }],
  stopped: [{ kind: 'stopped' }],
  'invalid-result': [
    {
      kind: 'invalid-result',
      problem: 'The result: expected at least 1 item, found []',
      more: undefined,
    },
    {
      kind: 'invalid-result',
      problem: '/0/price: expected number, found "12.50"',
      more: '48 problems in all; the first 20 are in the summary.',
    },
    {
      kind: 'invalid-result',
      problem:
        'The result is invalid: it is not JSON: a text with an unexpected "<" at line 1, column 1',
      more: undefined,
    },
    { kind: 'invalid-result', problem: 'The result is invalid: it is empty', more: undefined },
    {
      kind: 'invalid-result',
      problem: 'The result is invalid: it could not be checked: that did not finish in 20 s',
      more: undefined,
    },
  ],
  'timed-out': [
    { kind: 'timed-out', timeout: 3_600_000, checks: 700, failedChecks: 0 },
    { kind: 'timed-out', timeout: 3_600_000, checks: 700, failedChecks: 3 },
    { kind: 'timed-out', timeout: 0, checks: 1, failedChecks: 0 },
    {
      kind: 'timed-out',
      timeout: 3_600_000,
      checks: 40,
      failedChecks: 12,
      lastFailure: 'the service answered 503: Service Unavailable',
    },
    { kind: 'timed-out', timeout: 0, checks: 1, failedChecks: 1, lastFailure: 'no answer in 10 s' },
  ],
  cancelled: [
    { kind: 'cancelled', ended: false },
    { kind: 'cancelled', ended: true },
    { kind: 'cancelled', ended: true, retrying: true },
  ],
  'not-started': [...refusedStarts, { kind: 'not-started', ...cancelledBefore }],
  'unknown-start': [
    ...unclear.map(({ message: why, isWebPage }) => {
      return { kind: 'unknown-start' as const, why, isWebPage }
    }),
    { kind: 'unknown-start', why: 'no answer had come yet', cancelled: true },
  ],
  'credentials-refused': [
    { kind: 'credentials-refused', status: 401, words: 'The token was revoked' },
    { kind: 'credentials-refused', status: 403, words: 'Permission denied' },
  ],
  'checks-refused': [{ kind: 'checks-refused', status: 400, words: 'exec_uuid: not a UUID' }],
  'not-found': [{ kind: 'not-found', words: 'Execution not found' }],
  'result-not-fetched': [{ kind: 'result-not-fetched', why }],
  'copy-not-written': [
    { kind: 'copy-not-written', input: 'result-file', why: `out/result.csv: ${full}` },
    {
      kind: 'copy-not-written',
      input: 'log-file',
      why: 'out/run.log: permission is denied (EACCES)',
    },
  ],
  'outputs-not-written': [{ kind: 'outputs-not-written', why: full }],
}
