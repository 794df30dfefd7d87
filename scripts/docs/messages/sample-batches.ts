/** The annotation of a batch for each way in which one fails, made by the sources. */
import type { RunRecord } from '../../../src/execution/batch/record.ts'
import type { Annotation } from '../../../src/messages/annotation.ts'
import { describeBatchFailure } from '../../../src/messages/batch/failure.ts'
import { surveyBatch } from '../../../src/messages/batch/survey.ts'
import type { BatchEnd } from '../../../src/messages/batch/verdict.ts'
import type { TitleName } from '../../../src/messages/catalogue.ts'
import { asRead, countRuns, runRecords } from '../../../__tests__/support/batch-records.ts'

export type BatchTitle = Extract<TitleName, `batch-${string}`>

export async function batchSamples(): Promise<Record<BatchTitle, readonly Annotation[]>> {
  const success = {}
  const error = { conclusion: 'error', label: 'Bern', cause: 'ValueError: no rows' } as const
  const unknown = { conclusion: 'unknown', cause: 'the connection was cut' } as const
  const waiting = { conclusion: 'not-started' } as const
  const lost = { cause: 'the result could not be fetched: gone', failsStep: true }
  const failFast = { stop: { kind: 'fail-fast', number: 2 } } as const
  const refused = { kind: 'credentials-refused', number: 1, words: 'Token expired' } as const
  return {
    'batch-failed': [
      await annotate([success, error, error]),
      await annotate([success, error, error], failFast),
    ],
    'batch-unknown': [await annotate([success, unknown])],
    'batch-unfinished': [
      await annotate([success, { conclusion: 'timed-out' }], { conclusion: 'timed-out' }),
    ],
    'batch-not-started': [
      await annotate([waiting, waiting], { stop: { ...refused, status: 401 } }),
      await annotate([waiting, waiting], { stop: { ...refused, status: 403 } }),
      await annotate([success, waiting], { conclusion: 'timed-out' }),
    ],
    'batch-results-missing': [await annotate([success, lost])],
  }
}

async function annotate(
  runs: readonly Partial<RunRecord>[],
  given: Partial<BatchEnd> = {},
): Promise<Annotation> {
  const asItIs = (text: string) => text
  const records = runRecords(runs)
  const counts = countRuns(records)
  const survey = await surveyBatch(asRead(records), { total: runs.length, duration: 1 }, asItIs)
  const end: BatchEnd = {
    automation: 'word-report',
    counts,
    conclusion: 'failure',
    stop: undefined,
    ...given,
  }
  const artifactUrl = 'https://github.com/owner/repo/actions/runs/4200/artifacts/4242'
  return describeBatchFailure(end, survey, { artifactUrl, failedSeedsFile: undefined }, asItIs)
}
