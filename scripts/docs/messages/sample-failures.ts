/** Every way in which a run, or the following of it, fails; the first of each is quoted in full. */
import {
  describeEnd,
  describeLoss,
  type Failure,
  type Loss,
} from '../../../src/messages/failure.ts'
import type { ShownProblems } from '../../../src/messages/result-problems.ts'
import type { RunTitle } from '../../../src/messages/catalogue.ts'
import { conclusionOf, type Ending } from '../../../src/execution/ending.ts'
import type { ExecutionStatus } from '../../../src/service/contract.ts'
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
]

export const execution = {
  automation: 'word-report',
  executionId: '3fa85f64-5717',
  duration: 130_000,
}

const running: ExecutionStatus = {
  finished: false,
  error: false,
  stopped: false,
  container_error: false,
  result_url: null,
  logs_url: null,
}
const finished = { ...running, finished: true }

/** A step that ends so: with what is known beside it, and whether a re-run takes the run over. */
interface End {
  ending: Ending
  timeout?: number
  checks?: number
  problems?: ShownProblems
  isCancelled?: boolean
  isRetry?: boolean
}

function ended(outcome: Extract<Ending, { kind: 'finished' }>['outcome']): End {
  return { ending: { kind: 'finished', outcome, status: finished } }
}

function invalid(lines: readonly string[], count = lines.length): End {
  return { ...ended('invalid-result'), problems: { lines, count } }
}

function late(checks: number, failedChecks = 0, failure?: ServiceError, timeout = 3_600_000): End {
  return { ending: { kind: 'timed-out', status: running, failure, failedChecks }, timeout, checks }
}

const price = '/0/price: expected number, found "12.50"'
const ends: readonly End[] = [
  ended('error'),
  ended('container-error'),
  ended('stopped'),
  invalid(['The result: expected at least 1 item, found []']),
  invalid(Array<string>(20).fill(price), 48),
  invalid([
    'The result is invalid: it is not JSON: a text with an unexpected "<" at line 1, column 1',
  ]),
  invalid(['The result is invalid: it is empty']),
  invalid(['The result is invalid: it could not be checked: that did not finish in 20 s']),
  late(700),
  late(700, 3),
  late(1, 0, undefined, 0),
  late(40, 12, answered(503, 'Service Unavailable')),
  late(1, 1, unreached('no answer in 10 s'), 0),
  { ending: { kind: 'cancelled', status: running } },
  { ...ended('success'), isCancelled: true },
  { ...ended('error'), isCancelled: true, isRetry: true },
  ...refusedStarts.map((failure) => notTaken('not-started', failure)),
  { ...notTaken('not-started', undefined), isCancelled: true },
  ...unclear.map((failure) => notTaken('unknown-start', failure)),
  { ...notTaken('unknown-start', undefined), isCancelled: true },
  watchedUntil('refused', answered(401, 'The token was revoked')),
  watchedUntil('refused', answered(403, 'Permission denied')),
  watchedUntil('rejected', answered(400, 'exec_uuid: not a UUID')),
  watchedUntil('not-found', answered(404, 'Execution not found')),
]

function notTaken(kind: 'not-started' | 'unknown-start', failure: unknown): End {
  return { ending: { kind, status: undefined, failure } }
}

function watchedUntil(kind: 'refused' | 'rejected' | 'not-found', failure: HttpError): End {
  return { ending: { kind, status: running, failure } }
}

const full = 'no space left on disk (ENOSPC)'
const losses: readonly Loss[] = [
  { title: 'result-not-fetched', why: 'the store answered 404' },
  { title: 'copy-not-written', input: 'result-file', why: `out/result.csv: ${full}` },
  {
    title: 'copy-not-written',
    input: 'log-file',
    why: 'out/run.log: permission is denied (EACCES)',
  },
  { title: 'outputs-not-written', why: full },
]

function failureAt(end: End, isTakenOver: boolean): Failure | undefined {
  const { ending, timeout = 3_600_000, checks = 0, problems, isCancelled = false } = end
  const isStarted = ending.kind !== 'not-started' && ending.kind !== 'unknown-start'
  const report = {
    ending,
    checks,
    automation: execution.automation,
    executionId: isStarted ? execution.executionId : undefined,
    conclusion: isCancelled && isStarted ? ('cancelled' as const) : conclusionOf(ending),
    notRetried: end.isRetry ? ({ kind: 'cancelled' } as const) : undefined,
  }
  return describeEnd(report, { timeout, problems, isTakenOver, isCancelled, secrets })
}

/** Every way in which a run, or the following of it, fails, by its title. */
export function failureSamples(isTakenOver: boolean): Map<RunTitle, Failure[]> {
  const { executionId } = execution
  const failures = [
    ...ends.flatMap((end) => failureAt(end, isTakenOver) ?? []),
    ...losses.map((loss) => describeLoss(loss, { executionId, isTakenOver, secrets })),
  ]
  return Map.groupBy(failures, ({ title }) => title)
}
