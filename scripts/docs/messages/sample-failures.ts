/** Makes the annotations of all failures of a run that a re-run would take over. */
import type { Notice } from '../../../src/messages/notice.ts'
import { noticeOfFailure } from '../../../src/messages/failure-notice.ts'
import { failureOfEnd, type Failure } from '../../../src/messages/failure.ts'
import { failureOfLoss } from '../../../src/messages/loss.ts'
import type { End } from '../../../src/execution/report.ts'
import { noRetries } from '../../../src/execution/follow-run.ts'
import { HttpError, NetworkError } from '../../../src/service/service-errors.ts'
import { running } from '../../../__tests__/support/execution-status.ts'
import { collected, invalid, seenOf } from '../../../__tests__/support/run-report.ts'

export const full = 'no space left on device (ENOSPC)'

export function answered(status: number, words: string): HttpError {
  const asked = 'POST /api/start-automation/reports/word-report'
  return new HttpError({ status, words, asked })
}

export const cut = new NetworkError('automations.example.com: read ECONNRESET', {
  mayHaveArrived: true,
})

export const executionId = '3fa85f64-5717'
const target = { project: 'reports', automation: 'word-report', webhookGiven: false }
const empty = 'The result: expected at least 1 item, found 0'
const seen = seenOf({ checks: 22, status: running })
const refused = answered(401, 'Invalid token')
const revoked = answered(401, 'The token was revoked')

const log = {
  kind: 'file',
  path: '/tmp/run.log',
  size: 1,
  mediaType: 'text/plain',
} as const

const run = { executionId, files: { folder: '/tmp', result: log, log } }
const valueError = { text: 'ValueError: no rows', frame: { file: 'jobs/report.py', line: 42 } }
const lastLine = { text: 'loading 48 models', isLastLine: true as const }

const lost = { kind: 'lost', executionId, seen } as const

/** Each end, with the step's timeout in milliseconds. */
const ends: readonly (readonly [End, number?])[] = [
  [collected({ ...run, outcome: 'error', cause: valueError })],
  [collected({ ...run, outcome: 'container-error', cause: lastLine })],
  [collected({ ...run, outcome: 'stopped' })],
  [collected({ ...run, validation: invalid(empty) })],
  [collected({ ...run, validation: { kind: 'not-made', why: 'this did not finish in 20 s' } })],
  [{ kind: 'timed-out', executionId, seen }],
  [{ kind: 'timed-out', executionId, seen }, 0],
  [{ kind: 'cancelled', executionId, seen }],
  [{ kind: 'refused', failure: refused }],
  [{ kind: 'unclear', failure: cut, byCancel: false }],
  [{ ...lost, why: 'credentials', failure: revoked }],
  [{ ...lost, why: 'not-found', failure: answered(404, 'Execution not found') }],
]

const artifactUrl = 'https://github.com/owner/repo/actions/runs/4200/artifacts/4242'

export function failureSamples(): Notice[] {
  const result = { kind: 'unavailable', why: 'the store answered 404' } as const
  const lost = collected({ ...run, files: { ...run.files, result } })
  return [
    ...ends.flatMap(([end, timeout]) => annotate(failureAfter(end, timeout), end)),
    ...annotate(failureOfLoss(lost, undefined, true), lost),
    ...annotate(failureOfLoss(collected(run), full, true), collected(run)),
  ]
}

function failureAfter(end: End, timeout = 120_000): Failure | undefined {
  return failureOfEnd(end, {
    automation: target.automation,
    rerunTakesOver: true,
    resultPlace: 'in the artifact',
    timeout,
    retrying: noRetries,
  })
}

function annotate(failure: Failure | undefined, end: End): Notice[] {
  return failure ? [noticeOfFailure(failure, { target, end, duration: 130_000 }, artifactUrl)] : []
}
