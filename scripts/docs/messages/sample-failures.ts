/** Each way in which a run, or the following of it, fails, where a re-run takes over what goes on. */
import { describeEnd, describeLoss, type Failure } from '../../../src/messages/failure.ts'
import { conclusionOf, type Ending } from '../../../src/execution/ending.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { HttpError, NetworkError } from '../../../src/service/errors.ts'
import { finished, running } from '../../../__tests__/support/execution-status.ts'

export const secrets = new Secrets(() => undefined)
export const full = 'no space left on disk (ENOSPC)'

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
const empty = 'The result: expected at least 1 item, found []'
const late = { kind: 'timed-out', status: running, failure: undefined, failedChecks: 0 } as const
const refused = answered(401, 'Authentication credentials were not provided')
const revoked = answered(401, 'The token was revoked')

function ended(outcome: Extract<Ending, { kind: 'finished' }>['outcome']): Ending {
  return { kind: 'finished', outcome, status: finished }
}

/** With the step's timeout. */
const ends: readonly (readonly [Ending, number?])[] = [
  [ended('error')],
  [ended('container-error')],
  [ended('stopped')],
  [ended('invalid-result')],
  [late],
  [late, 0],
  [{ kind: 'cancelled', status: running }],
  [{ kind: 'not-started', status: undefined, failure: refused }],
  [{ kind: 'unknown-start', status: undefined, failure: cut }],
  [{ kind: 'refused', status: running, failure: revoked }],
  [{ kind: 'rejected', status: running, failure: answered(400, 'exec_uuid: not a UUID') }],
  [{ kind: 'not-found', status: running, failure: answered(404, 'Execution not found') }],
]

export function failureSamples(): Failure[] {
  const remedies = { executionId, isTakenOver: true, secrets }
  const problems = { lines: [empty], count: 1 }
  const shown = { problems, resultPlace: 'artifact', hasSummary: true } as const
  const facts = { ...shown, isTakenOver: true, isCancelled: false }
  return [
    ...ends.flatMap(([ending, timeout = 3_600_000]) => {
      const conclusion = conclusionOf(ending)
      const report = { ...execution, ending, checks: 700, conclusion, notRetried: undefined }
      return describeEnd(report, { ...facts, timeout, secrets }) ?? []
    }),
    describeLoss({ title: 'result-not-fetched', why: 'the store answered 404' }, remedies),
    describeLoss(
      { title: 'copy-not-written', input: 'result-file', why: `out/result.csv: ${full}` },
      remedies,
    ),
    describeLoss({ title: 'outputs-not-written', why: full }, remedies),
  ]
}
