/** The annotation of a batch for each way in which one fails, made by the sources. */
import type { RunRecord } from '../../../src/execution/batch/record.ts'
import type { Annotation } from '../../../src/messages/annotation.ts'
import { describeBatchFailure } from '../../../src/messages/batch/failure.ts'
import type { BatchEnd } from '../../../src/messages/batch/hint.ts'
import { surveyBatch } from '../../../src/messages/batch/survey.ts'
import { countRuns, runRecords, shownRuns } from '../../../__tests__/support/batch-records.ts'

export function batchSamples(): Annotation[] {
  const success = {}
  const error = { conclusion: 'error', label: 'Bern', cause: 'ValueError: no rows' } as const
  const unknown = { conclusion: 'unknown', cause: 'the connection was cut' } as const
  const waiting = { conclusion: 'not-started' } as const
  const lost = { cause: 'the result could not be fetched: gone', failsStep: true }
  const stop = {
    kind: 'credentials-refused',
    call: 'start',
    number: 1,
    words: 'Token expired',
    status: 401,
  } as const
  return [
    annotate([success, error, error]),
    annotate([success, unknown]),
    annotate([success, { conclusion: 'timed-out' }], { conclusion: 'timed-out' }),
    annotate([waiting, waiting], { stop }),
    annotate([success, lost]),
  ]
}

function annotate(runs: readonly Partial<RunRecord>[], given: Partial<BatchEnd> = {}): Annotation {
  const asItIs = (text: string) => text
  const counts = countRuns(runRecords(runs))
  const survey = surveyBatch(shownRuns(runs))
  const end: BatchEnd = {
    automation: 'word-report',
    counts,
    conclusion: 'failure',
    stop: undefined,
    unreached: 0,
    isOnRecord: true,
    ...given,
  }
  const place = {
    artifactUrl: 'https://github.com/owner/repo/actions/runs/4200/artifacts/4242',
    resultsFile: 'results.jsonl',
    failedSeedsFile: 'failed-seeds.jsonl',
  }
  return describeBatchFailure(end, survey, place, asItIs)
}
