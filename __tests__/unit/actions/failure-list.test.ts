/** Lists the failures that neither a transcript nor docs/troubleshooting.md shows. */
import { expect, it } from '@jest/globals'
import { projectNotCreated, projectUnknown } from '../../../src/actions/create-project.ts'
import { reportExecution } from '../../../src/actions/report-execution.ts'
import type { Ending } from '../../../src/execution/ending.ts'
import type { ExecutionReport } from '../../../src/execution/execution-report.ts'
import { conclusionOf } from '../../../src/execution/ending.ts'
import { helpLine } from '../../../src/messages/catalogue.ts'
import { linksTo } from '../../../src/messages/run-link.ts'
import {
  HttpError,
  MalformedAnswerError,
  NetworkError,
  notTheService,
  RedirectError,
} from '../../../src/service/errors.ts'
import { running, finished } from '../../support/execution-status.ts'
import { reportOf } from '../../support/execution-report.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'
import { recordedStep } from './recorded-step.ts'

const all = new Set(['error', 'container-error', 'stopped', 'timed-out'] as const)
const host = 'automations.example.com'
const asked = 'POST /api/api/start-automation/reports/daily_report'
const answered = (status: number, words = '') =>
  new HttpError({ status, words, key: 'detail', asked })
const unreached = (why: string) => new NetworkError(`${host}: ${why}`, { mayHaveArrived: false })
const cancellation = AbortSignal.abort(new Error('the runner sent SIGINT'))
const cutByCancellation = new NetworkError('the runner sent SIGINT', {
  mayHaveArrived: true,
  cause: cancellation.reason,
})
const page = { status: 200, headers: { 'content-type': 'text/html' } }
const webPage = new MalformedAnswerError(page, notTheService)

const notStarted = (failure: unknown): Ending => {
  return { kind: 'not-started', status: undefined, failure }
}
const unclear = (failure: unknown): Ending => {
  return { kind: 'unknown-start', status: undefined, failure }
}
const timedOut = (failure?: HttpError | MalformedAnswerError, failedChecks = 0): Ending => {
  return { kind: 'timed-out', status: running, failure, failedChecks }
}
const ended = (outcome: 'success' | 'error' | 'container-error' | 'stopped'): Ending => {
  return { kind: 'finished', outcome, status: finished }
}

interface Given {
  cancelled?: boolean
  facts?: Partial<ExecutionReport>
}

const notKept = { kind: 'not-kept' } as const
const lost = { kind: 'unavailable', why: 'the store answered 500' } as const

const failures: Record<string, [Ending, Given?]> = {
  'the container dies': [ended('container-error')],
  'timeout runs out': [timedOut()],
  'timeout runs out, and the last check failed': [timedOut(answered(503), 3)],
  'timeout runs out, and a web page answered every check': [timedOut(webPage, 26)],
  'timeout runs out, and some checks failed': [timedOut(undefined, 2)],
  'the step is cancelled': [{ kind: 'cancelled', status: running }, { cancelled: true }],
  'the step is cancelled before any check is answered': [
    { kind: 'cancelled', status: undefined, failure: answered(503) },
    { cancelled: true },
  ],
  'the step is cancelled while files are fetched': [ended('success'), { cancelled: true }],
  'the step is cancelled before a retry': [
    ended('error'),
    { cancelled: true, facts: { notRetried: 'the step was cancelled' } },
  ],
  'the result is missing': [
    ended('success'),
    { facts: { files: { folder: undefined, result: lost, log: notKept } } },
  ],
  'the words of others fill an annotation': [
    { kind: 'refused', status: running, failure: answered(403, 'x'.repeat(100_000)) },
  ],
  'the start is cut by a cancellation': [unclear(cutByCancellation), { cancelled: true }],
  'the start is answered by a web page after a cancellation': [
    unclear(webPage),
    { cancelled: true },
  ],
  'the start is redirected': [notStarted(new RedirectError(301, 'https://other.example.com/'))],
  'the start is refused after a cancellation': [
    notStarted(answered(404, '404 Not Found')),
    { cancelled: true },
  ],
  'the name of the host is unknown': [notStarted(unreached(`getaddrinfo ENOTFOUND ${host}`))],
  'its certificate is of an own CA': [
    notStarted(unreached('self-signed certificate in certificate chain')),
  ],
  'its certificate has expired': [notStarted(unreached('certificate has expired'))],
  'the proxy is down': [
    notStarted(unreached('no tunnel through the proxy: connect ECONNREFUSED 192.0.2.9:3128')),
  ],
}

async function annotationOf([ending, given = {}]: [Ending, Given?]): Promise<string> {
  const { cancelled = false, facts } = given
  await using folder = await makeTemporaryFolder()
  const { step } = recordedStep({
    environment: { RUNNER_TEMP: folder.path },
    ...(cancelled && { cancelled: cancellation }),
  })
  const isStarted = ending.kind !== 'not-started' && ending.kind !== 'unknown-start'
  const executionId = isStarted ? '3fa85f64' : undefined
  const report = reportOf({ ending, executionId, conclusion: conclusionOf(ending), ...facts })
  const publishing = {
    uploadArtifact: false,
    artifactName: undefined,
    retentionDays: undefined,
    printResult: false,
    printLog: 'never',
    summary: false,
  } as const
  const waiting = { failOn: all, timeout: 60_000 }
  const options = {
    waiting,
    retries: 1,
    retryOn: new Set<never>(),
    linkOf: linksTo(undefined),
    jobId: undefined,
    publishing,
    storage: { upload: () => Promise.reject(new Error('not asked for')) },
    saveForRerun: () => Promise.resolve(false),
  }
  const { verdict } = await reportExecution(report, options, step)
  if (verdict.kind === 'passed') return 'passes'
  const { title, message, entry } = verdict.annotation
  const [first, ...more] = message.split('\n')
  return [title, first, more.at(-1), helpLine(entry)].join('\n')
}

it('each failure says what it is, why, what to do next, and where to read more', async () => {
  const texts: string[] = []
  for (const [name, given] of Object.entries(failures)) {
    texts.push(`── ${name}\n${await annotationOf(given)}`)
  }
  expect(texts.join('\n\n')).toMatchSnapshot()
})

it.each([
  ['is refused', projectNotCreated, answered(400, 'No such region'), /answered 400: No such reg/],
  ['is not accepted', projectNotCreated, answered(429), /^The step was cancelled before anything/],
  ['gets a web page', projectUnknown, webPage, /got no clear answer \(.* it is a web page/],
  ['gets no answer', projectUnknown, cutByCancellation, /clear answer \(the step was cancelled/],
])('a creation %s after a cancellation', (_, describe, failure, message) => {
  const { step } = recordedStep({ cancelled: cancellation })
  expect(describe('reports', failure, step).message).toMatch(message)
})
