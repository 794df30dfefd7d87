/** Makes the annotation for each way in which a batch can fail. */
import type { Notice } from '../../../src/messages/notice.ts'
import type { BatchEnd } from '../../../src/messages/batch/end.ts'
import { stopWords } from '../../../src/execution/batch/batch-types.ts'
import { describeBatchFailure } from '../../../src/messages/batch/batch-failure.ts'
import { batchEndOf, type GivenRow } from '../../../__tests__/support/batch-rows.ts'

export function batchSamples(): Notice[] {
  const success = {}
  const error = { conclusion: 'error', label: 'Bern', cause: 'ValueError: no rows' } as const
  const unknown = { conclusion: 'unknown', cause: 'the connection was cut' } as const
  const refused = {
    conclusion: 'not-started',
    cause: 'the service answered 401: Token expired',
  } as const
  const waiting = { conclusion: 'not-started', cause: stopWords.credentials } as const
  const cancelled = { conclusion: 'cancelled' } as const
  const lost = { cause: 'the result could not be fetched: gone', failsStep: true }
  return [
    annotate([success, error, error]),
    annotate([success, unknown]),
    annotate([success, { conclusion: 'timed-out' }], { conclusion: 'timed-out' }),
    annotate([refused, waiting]),
    annotate([success, cancelled], { cancelled: true }),
    annotate([success, lost]),
  ]
}

function annotate(runs: readonly GivenRow[], given: Partial<BatchEnd> = {}): Notice {
  const url = 'https://github.com/owner/repo/actions/runs/4200/artifacts/4242'
  const end = batchEndOf(runs, {
    automation: 'word-report',
    artifact: { name: 'word-report-batch', url },
    ...given,
  })
  return describeBatchFailure(end)
}
