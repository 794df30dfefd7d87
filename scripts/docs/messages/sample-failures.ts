/** Makes the annotations of all failures of a run that a re-run would take over. */
import type { Annotation } from '../../../src/messages/annotation.ts'
import { describeFailure } from '../../../src/messages/failure-annotation.ts'
import { describeEnd, type Failure } from '../../../src/messages/failure.ts'
import { describeLoss } from '../../../src/messages/loss.ts'
import { conclusionOf, type Ending } from '../../../src/execution/ending.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { HttpError, NetworkError } from '../../../src/service/errors.ts'
import { finished, running } from '../../../__tests__/support/execution-status.ts'

export const secrets = new Secrets(() => undefined)
export const full = 'no space left on device (ENOSPC)'

export function answered(status: number, words: string): HttpError {
  const asked = 'POST /api/start-automation/reports/word-report'
  return new HttpError({ status, words, key: 'detail', asked })
}

export const cut = new NetworkError('automations.example.com: read ECONNRESET', {
  mayHaveArrived: true,
})

export const execution = {
  automation: 'word-report',
  executionId: '3fa85f64-5717',
  duration: 130_000,
}

const { executionId } = execution
const empty = 'The result: expected at least 1 item, found 0'
const late = { kind: 'timed-out', status: running, failure: undefined, failedChecks: 0 } as const
const refused = answered(401, 'Authentication credentials were not provided')
const revoked = answered(401, 'The token was revoked')

function ended(outcome: Extract<Ending, { kind: 'finished' }>['outcome']): Ending {
  return { kind: 'finished', outcome, status: finished }
}

/** Each ending with the step's timeout in milliseconds, and why the result was not validated. */
const ends: readonly (readonly [Ending, number?, string?])[] = [
  [ended('error')],
  [ended('container-error')],
  [ended('stopped')],
  [ended('invalid-result')],
  [ended('success'), 120_000, 'this did not finish in 20 s'],
  [late],
  [late, 0],
  [{ kind: 'cancelled', status: running }],
  [{ kind: 'not-started', status: undefined, failure: refused }],
  [{ kind: 'unknown-start', status: undefined, failure: cut }],
  [{ kind: 'refused', status: running, failure: revoked }],
  [{ kind: 'rejected', status: running, failure: answered(400, 'exec_uuid: not a UUID') }],
  [{ kind: 'not-found', status: running, failure: answered(404, 'Execution not found') }],
]

const causes = {
  error: { text: 'ValueError: no rows', frame: { file: 'jobs/report.py', line: 42 } },
  'container-error': { text: 'loading 48 models', isLastLine: true as const },
}
const log = {
  kind: 'file',
  path: '/tmp/run.log',
  size: 1,
  mediaType: 'text/plain',
} as const
const files = { folder: '/tmp', result: log, log }
const artifactUrl = 'https://github.com/owner/repo/actions/runs/4200/artifacts/4242'

export function failureSamples(): Annotation[] {
  const remedies = { executionId, isTakenOver: true, show: secrets.show }
  const losses = [
    describeLoss({ title: 'result-not-fetched', why: 'the store answered 404' }, remedies),
    describeLoss({ title: 'outputs-not-written', why: full }, remedies),
  ]
  return [
    ...ends.flatMap((end) => annotateEnd(...end) ?? []),
    ...losses.map((loss) =>
      describeFailure(loss, { ...execution, ending: ended('success'), files }, artifactUrl, asItIs),
    ),
  ]
}

function annotateEnd(
  ending: Ending,
  timeout = 120_000,
  notValidated?: string,
): Annotation | undefined {
  const resultProblems = { lines: [empty], count: 1 }
  const { signal: cancelled } = new AbortController()
  const inputs = { timeout, retries: 0, retryOn: new Set<string>() }
  const given = { isTakenOver: true, cancelled, hasArtifact: true }
  const facts = { ...given, ...inputs, show: secrets.show }
  const conclusion = conclusionOf(ending)
  const report = { ...execution, ending, checks: 22, conclusion, files }
  const failure = describeEnd({ ...report, resultProblems, notValidated }, facts)
  return failure && annotate(failure, ending)
}

/** A run that was not started has no id. A run that may still be running has no log yet. */
function annotate(failure: Failure, ending: Ending): Annotation {
  const { title } = failure
  const { kind } = ending
  if (kind === 'not-started' || kind === 'unknown-start') {
    return describeFailure(failure, { automation: execution.automation }, undefined, asItIs)
  }
  const cause = title === 'error' || title === 'container-error' ? causes[title] : undefined
  const fetched = kind === 'finished' ? files : undefined
  return describeFailure(
    failure,
    { ...execution, ending, cause, files: fetched },
    artifactUrl,
    asItIs,
  )
}

function asItIs(text: string): string {
  return text
}
