/** Tests that each advice has at most 30 words, so that people read it to its end. */
import { describe, expect, it } from '@jest/globals'
import { projectUnknown } from '../../../src/actions/create-project.ts'
import { TimeUp } from '../../../src/clock.ts'
import type { RunRecord } from '../../../src/execution/batch/batch.ts'
import { conclusionOf, type Ending } from '../../../src/execution/ending.ts'
import { adviseOn } from '../../../src/messages/advice.ts'
import type { BatchEnd } from '../../../src/messages/batch/end.ts'
import { batchHint } from '../../../src/messages/batch/hint.ts'
import { explainRefusal } from '../../../src/messages/commit-status.ts'
import { CutShort } from '../../../src/messages/cut-short.ts'
import { describeEnd } from '../../../src/messages/failure.ts'
import { describeLoss, type Loss, type MissingCopy } from '../../../src/messages/loss.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import {
  HttpError,
  MalformedAnswerError,
  NetworkError,
  notTheService,
  RedirectError,
} from '../../../src/service/errors.ts'
import {
  noTls,
  oldTls,
  refusedHandshake,
  wantsCertificate,
} from '../../../src/service/tls-failure.ts'
import { batchEndOf, refusedStart } from '../../support/batch-records.ts'
import { reportOf } from '../../support/execution-report.ts'
import { finished, running } from '../../support/execution-status.ts'

const maxWords = 30
const show = (text: string) => text

function expectShort(hints: Iterable<string>): void {
  const long = [...new Set(hints)].filter((hint) => hint.split(/\s+/).length > maxWords)
  expect(long).toEqual([])
}

const statuses = [
  400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 418, 422, 429, 500, 502, 503, 504,
]
const answers = statuses.map((status) => new HttpError({ status, words: 'no', key: undefined }))
const webPage = { status: 200, headers: { 'content-type': 'text/html' } }
const unclear = [
  new NetworkError('read ECONNRESET', { mayHaveArrived: true }),
  new MalformedAnswerError(webPage, notTheService),
  new RedirectError(302, 'https://login.example/'),
  new RedirectError(308, 'https://other.example/'),
]
const unreached = [
  noTls,
  `${noTls} through the proxy`,
  oldTls,
  wantsCertificate,
  refusedHandshake,
  'connect ECONNREFUSED',
  'no tunnel through the proxy',
  'self-signed certificate',
  'certificate has expired',
].map((why) => new NetworkError(why, { mayHaveArrived: false }))
const failures = [...answers, ...unclear, ...unreached, new TimeUp('no answer within 1 min')]

describe('an advice is short', () => {
  it('after a request that failed', () => {
    const routes = ['start', 'create-project'] as const
    expectShort(
      routes.flatMap((route) => failures.map((failure) => adviseOn(failure, route, show).hint)),
    )
    const secrets = new Secrets(() => undefined)
    const { signal: cancelled } = new AbortController()
    expectShort(
      failures.map((failure) => projectUnknown('reports', failure, { cancelled, secrets }).hint),
    )
  })

  it('after the end of a run', () => {
    const outcomes = ['error', 'container-error', 'stopped', 'invalid-result'] as const
    const endings: Ending[] = [
      ...outcomes.map((outcome): Ending => ({ kind: 'finished', outcome, status: finished })),
      { kind: 'cancelled', status: undefined },
      { kind: 'timed-out', status: running, failure: undefined, failedChecks: 0 },
      ...[...answers, ...unclear].flatMap((failure): Ending[] => [
        { kind: 'timed-out', status: undefined, failure, failedChecks: 1 },
        { kind: 'timed-out', status: running, failure, failedChecks: 1 },
        { kind: 'unknown-start', status: undefined, failure },
      ]),
      ...answers.flatMap((failure): Ending[] => [
        { kind: 'not-found', status: undefined, failure },
        { kind: 'refused', status: undefined, failure },
        { kind: 'rejected', status: undefined, failure },
      ]),
    ]
    const result = { kind: 'file', path: '/tmp/result.json', size: 1, mediaType: '' } as const
    const notKept = { kind: 'not-kept' } as const
    const whole = { ...result, unknownEncoding: undefined }
    const hints = endings.flatMap((ending) =>
      [whole, notKept].flatMap((kept) =>
        ['daily', undefined].flatMap((automation) =>
          [true, false].flatMap((isTakenOver) =>
            [0, 60_000].flatMap((timeout) => {
              const files = { folder: '/tmp', result: kept, log: notKept }
              const conclusion = conclusionOf(ending)
              const report = { ...reportOf({ conclusion, ending, files }), executionId: 'e-1' }
              const facts = { isTakenOver, isCancelled: false, timeout, retries: 0, show }
              return describeEnd({ ...report, automation }, facts)?.next ?? []
            }),
          ),
        ),
      ),
    )
    expectShort(hints)
  })

  it('after a file was lost', () => {
    const obstacles = ['credentials', 'disk', 'disk-full', 'gone', undefined] as const
    const copy = { input: 'save-result-as', target: '/t', what: 'result', why: 'no' } as const
    const kinds = ['not-written', 'not-kept'] as const
    const log = { ...copy, input: 'save-log-as', what: 'log' } as const
    const bothMissing: MissingCopy[] = [
      { ...copy, kind: 'not-kept' },
      { ...log, kind: 'not-kept' },
    ]
    const losses: Loss[] = [
      ...obstacles.flatMap((obstacle): Loss[] => [
        { title: 'result-not-fetched', why: 'no', obstacle },
        { title: 'copy-not-written', copies: [{ ...copy, kind: 'not-fetched', obstacle }] },
      ]),
      ...kinds.map((kind): Loss => ({ title: 'copy-not-written', copies: [{ ...copy, kind }] })),
      { title: 'copy-not-kept', copies: bothMissing },
      { title: 'outputs-not-written', why: 'no' },
    ]
    expectShort(
      losses.flatMap((loss) =>
        [true, false].map((isTakenOver) => {
          return describeLoss(loss, { executionId: 'e-1', isTakenOver, show }).next
        }),
      ),
    )
  })

  it('after a cancellation without time, and after a refused commit status', () => {
    expectShort([[], ['e-1'], ['e-1', 'e-2']].map((ids) => new CutShort(true, ids).hint))
    expectShort(
      [undefined, ...statuses].flatMap((status) =>
        [true, false].map((limited) => {
          const refusal = { status, words: 'no', limited }
          return explainRefusal(refusal, 'owner/name', 'https://api.github.com').hint
        }),
      ),
    )
  })

  it('after each end of a batch', () => {
    const longest = unreached.map((failure) => adviseOn(failure, 'start', show).hint)
    const advice = longest.reduce((one, other) => (other.length > one.length ? other : one))
    const runs: Partial<RunRecord>[] = [
      {},
      { conclusion: 'error' },
      { conclusion: 'not-started' },
      { conclusion: 'not-started', advice },
      { conclusion: 'unknown' },
      { conclusion: 'unknown', executionId: undefined },
      { conclusion: 'timed-out' },
      { conclusion: 'cancelled' },
      { failsStep: true },
      { failsStep: true, isResultGone: true },
    ]
    const subsets = Array.from({ length: 2 ** runs.length - 1 }, (_, bits) =>
      runs.filter((_run, at) => ((bits + 1) >> at) % 2 === 1),
    )
    const refused = (status: number) => refusedStart('no', status)
    const stops = [
      undefined,
      refused(401),
      refused(403),
      { ...refused(403), call: 'check' as const },
      { kind: 'fail-fast' as const, seed: { index: 0 } },
    ]
    const files = [
      {},
      { failedSeedsFile: '/tmp/failed-seeds.jsonl' },
      { failedSeedsFile: '/f', artifact: { name: 'a', url: 'https://a' } },
    ]
    const conclusions = ['failure', 'timed-out', 'cancelled'] as const
    const facts = stops.flatMap((stoppedBy) =>
      conclusions.flatMap((conclusion) =>
        files.flatMap((file) =>
          [true, false].map((isOnRecord) => ({ ...file, stoppedBy, conclusion, isOnRecord })),
        ),
      ),
    )
    const hints = new Set<string>()
    for (const subset of subsets) {
      const end: BatchEnd = batchEndOf(subset)
      for (const given of facts) hints.add(batchHint({ ...end, ...given }, show))
    }
    expectShort(hints)
  })
})
