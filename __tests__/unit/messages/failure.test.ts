/** Lists the failures of a run that neither a transcript nor docs/troubleshooting.md shows. */
import { expect, it } from '@jest/globals'
import type { Collected, End } from '../../../src/execution/report.ts'
import { judge, type Circumstances } from '../../../src/messages/judge.ts'
import {
  MalformedAnswerError,
  NetworkError,
  RedirectError,
} from '../../../src/service/service-errors.ts'
import { longAdvice } from '../../support/advice.ts'
import { record, running } from '../../support/execution-status.ts'
import { httpError } from '../../support/failures.ts'
import {
  cancelled,
  circumstances,
  collected,
  invalid,
  lost,
  noFiles,
  notSent,
  refused,
  reportOf,
  target,
  timedOut,
  unclear,
} from '../../support/run-report.ts'

type Given = Partial<Circumstances> & { isWait?: boolean }
// The action wait knows no automation.
const waiting = { isWait: true }
const onRecord = { rerunTakesOver: true }
const retryOn = new Set(['error', 'container-error'])
const retrying = (retries: number) => ({ retrying: { retries, retryOn } })

const late = (status: number, wasSeen = false) => {
  const failure = httpError(status, { words: 'no' })
  return timedOut({ status: wasSeen ? running : undefined, failure, failedChecks: 1 })
}
const ended = (outcome: Collected['outcome']) => collected({ outcome })
const page = { status: 200, headers: { 'content-type': 'text/html' } }
const webPage = new MalformedAnswerError(page, 'it is a web page; check base-url', true)
const refusal = httpError(401, { words: 'no' })
const notKept = collected({ validation: invalid('no') })
const file = { kind: 'file', path: '/tmp/result.json', size: 1, mediaType: '' } as const
const wrong = { ...notKept, files: { ...noFiles, result: file } }

/** Returns the end of a successful run whose result was lost. */
function lostResult(failure: unknown) {
  const result = { kind: 'unavailable', why: 'result.part: no', failure } as const
  return collected({ files: { ...noFiles, result } })
}

const host = 'automations.example.com'
const unreached = (why: string) =>
  new NetworkError(`${host}: ${why}`, { mayHaveArrived: false, host })
const full = Object.assign(new Error('no'), { code: 'ENOSPC' })
const named = httpError(409, { words: 'running', executionId: 'e-7' })

const failures: [string, End, Given?][] = [
  ['timed out', timedOut()],
  ['timed out, and some checks failed', timedOut({ status: running, failedChecks: 2 }), onRecord],
  ['timed out after a failure flag', timedOut({ status: record({ error: true }) })],
  ['timed out after 404 alone', late(404), waiting],
  ['timed out after 404 and a proper answer', late(404, true), onRecord],
  ['timed out after 503', late(503), { ...waiting, timeout: 0 }],
  ['timed out after 400', late(400)],
  ['timed out after web pages', timedOut({ failure: webPage, failedChecks: 26 })],
  ['cancelled', cancelled(), onRecord],
  ['cancelled while files were fetched', collected(), { cancelled: true }],
  ['an error of a run that was waited for', ended('error'), waiting],
  ['a crash that retry-on names, without retries', ended('container-error'), retrying(0)],
  ['a crash with retries', ended('container-error'), retrying(2)],
  ['an error with other retries', ended('error'), { retrying: { retries: 1, retryOn: new Set() } }],
  ['a stop with retries', ended('stopped'), retrying(2)],
  ['an invalid result in an artifact', wrong, { artifactUrl: 'https://github.com/' }],
  ['an invalid result without an artifact', wrong],
  ['an invalid result that was not kept', notKept],
  ['two problems of a result', collected({ validation: invalid('The result: array', 'no') })],
  ['a result not validated', collected({ validation: { kind: 'not-made', why: 'too slow' } })],
  ['not found, a run of this step', lost('not-found', refusal)],
  ['not found, a run that was waited for', lost('not-found', refusal), waiting],
  ['no longer watched, a run of this step', lost('rejected', httpError(422)), onRecord],
  ['no longer watched, a run that was waited for', lost('rejected', httpError(422)), waiting],
  ['no longer watched behind a firewall', lost('rejected', httpError(403, { isWebPage: true }))],
  ['no longer allowed to watch', lost('credentials', refusal)],
  ['a start cut by a cancellation', unclear(new Error('SIGINT'), true)],
  ['a start answered by a web page', unclear(webPage)],
  ['a start redirected', refused(new RedirectError(301, 'https://other.example.com/', undefined))],
  ['a start refused, naming a run', refused(named)],
  ['a start not sent before a cancellation', notSent(new Error('SIGINT'), true)],
  ['a start to an unknown host', notSent(unreached(`getaddrinfo ENOTFOUND ${host}`))],
  ['a start to an own CA', notSent(unreached('self-signed certificate in certificate chain'))],
  ['a start to an old certificate', notSent(unreached('certificate has expired'))],
  ['a start through a proxy that is down', notSent(unreached('no tunnel through the proxy'))],
  ['a lost result', lostResult(new Error('no')), onRecord],
  // With other credentials, a re-run finds no record.
  ['a lost result, after refused credentials', lostResult(refusal), onRecord],
  ['a lost result, on a full disk', lostResult(full), onRecord],
  ['a lost result, without a connection', lostResult(unreached('no route')), onRecord],
  ['lost outputs', collected(), { outputsLost: 'read-only' }],
  ['lost outputs, on a full disk', collected(), { outputsLost: 'no space left (ENOSPC)' }],
]

it('each failure says what it is, why, and in at most 30 words what to do next', () => {
  const notices = failures.map(([name, end, { isWait = false, ...given } = {}]) => {
    const report = reportOf(end, { target: isWait ? undefined : target })
    return { name, notice: judge(report, { ...circumstances, ...given }).notice }
  })
  const texts = notices.map(({ name, notice }) => {
    return [`── ${name}`, notice?.title, ...(notice?.why ?? []), ...(notice?.advice ?? [])].join(
      '\n',
    )
  })
  expect(texts.join('\n\n')).toMatchSnapshot()
  expect(longAdvice(notices.flatMap(({ notice }) => notice?.advice ?? []))).toEqual([])
})
