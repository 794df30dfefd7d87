/** Lists the failures that neither a transcript nor docs/troubleshooting.md shows. */
import { expect, it } from '@jest/globals'
import type { End } from '../../../src/execution/report.ts'
import { helpLine, titles } from '../../../src/messages/catalogue.ts'
import { judge } from '../../../src/messages/judge.ts'
import {
  HttpError,
  MalformedAnswerError,
  NetworkError,
  RedirectError,
} from '../../../src/service/service-errors.ts'
import { running } from '../../support/execution-status.ts'
import {
  collected,
  executionId,
  noFiles,
  notSent,
  refused,
  reportOf,
  seenOf,
  timedOut,
  unclear,
} from '../../support/run-report.ts'

const all = new Set(['error', 'container-error', 'stopped', 'timed-out'] as const)
const host = 'automations.example.com'
const asked = 'POST /api/api/start-automation/reports/daily_report'
const answered = (status: number, words = '') => new HttpError({ status, words, asked })
const unreached = (why: string) => new NetworkError(`${host}: ${why}`, { mayHaveArrived: false })
const cutByCancellation = new NetworkError('the runner sent SIGINT', { mayHaveArrived: true })
const page = { status: 200, headers: { 'content-type': 'text/html' } }
const webPage = new MalformedAnswerError(page, 'it is a web page; check base-url', true)

interface Given {
  cancelled?: boolean
  notRetried?: string
}

const cut = { cancelled: true }

const failures: Record<string, [End, Given?]> = {
  'the container dies': [collected({ outcome: 'container-error' })],
  'timeout runs out': [timedOut()],
  'timeout runs out, and the last check failed': [
    timedOut({ status: running, failure: answered(503), failedChecks: 3 }),
  ],
  'timeout runs out, and a web page answered every check': [
    timedOut({ status: running, failure: webPage, failedChecks: 26 }),
  ],
  'timeout runs out, and some checks failed': [timedOut({ status: running, failedChecks: 2 })],
  'the step is cancelled': [
    { kind: 'cancelled', executionId, seen: seenOf({ status: running }) },
    cut,
  ],
  'the step is cancelled before any check is answered': [
    { kind: 'cancelled', executionId, seen: seenOf({ failure: answered(503) }) },
    cut,
  ],
  'the step is cancelled while files are fetched': [collected(), cut],
  'the step is cancelled before a retry': [
    collected({ outcome: 'error' }),
    { ...cut, notRetried: 'the step was cancelled' },
  ],
  'the result is missing': [
    collected({
      files: { ...noFiles, result: { kind: 'unavailable', why: 'the store answered 500' } },
    }),
  ],
  'the start is cut by a cancellation': [unclear(cutByCancellation, true), cut],
  'the start is answered by a web page after a cancellation': [unclear(webPage), cut],
  'the start is redirected': [refused(new RedirectError(301, 'https://other.example.com/'))],
  'the start is refused after a cancellation': [refused(answered(404, '404 Not Found')), cut],
  'the name of the host is unknown': [notSent(unreached(`getaddrinfo ENOTFOUND ${host}`))],
  'its certificate is of an own CA': [
    notSent(unreached('self-signed certificate in certificate chain')),
  ],
  'its certificate has expired': [notSent(unreached('certificate has expired'))],
  'the proxy is down': [
    notSent(unreached('no tunnel through the proxy: connect ECONNREFUSED 192.0.2.9:3128')),
  ],
}

function annotate([end, given = {}]: [End, Given?]): string {
  const { cancelled = false, ...facts } = given
  const { notice } = judge(reportOf(end, facts), {
    failOn: all,
    timeout: 60_000,
    retrying: { retries: 1, retryOn: new Set() },
    outputsLost: undefined,
    cancelled,
    rerunTakesOver: false,
    artifactUrl: undefined,
  })
  if (!notice) return 'passes'
  const { name, title, why, advice } = notice
  return [title, why[0], advice.at(-1), helpLine(titles[name][1])].join('\n')
}

it('each failure says what it is, why, what to do next, and where to read more', () => {
  const texts = Object.entries(failures).map(([name, given]) => `── ${name}\n${annotate(given)}`)
  expect(texts.join('\n\n')).toMatchSnapshot()
})
