/** What a batch came to, as annotation and summary say it alike. */
import { headingOf, type Heading } from '../entries.ts'
import { nounFor } from '../quantities.ts'
import type { Show } from '../text/secrets.ts'
import { describeCounts, describeStop, everyCategory, type BatchStop } from './progress.ts'
import type { BatchCounts } from '../../execution/batch/tally.ts'
import type { BatchSurvey } from './survey.ts'

/** What the words for a batch's end are made from. */
export interface BatchEnd {
  automation: string
  counts: BatchCounts
  conclusion: 'success' | 'failure' | 'timed-out' | 'cancelled'
  /** Why no more runs were started, where that was. */
  stop: BatchStop | undefined
}

/** How many of how many; `name` is fit to be shown. */
export function batchHeading(
  { counts, conclusion }: Pick<BatchEnd, 'counts' | 'conclusion'>,
  { failing }: Pick<BatchSurvey, 'failing'>,
  name: string,
): Heading {
  const { total } = counts
  const count = { subject: name, total: String(total), runs: nounFor(total, 'run') }
  const were = (amount: number) => (amount === 1 ? 'was' : 'were')
  const { failed, unknown, unfinished, notStarted, succeeded } = failing
  if (conclusion === 'cancelled') return headingOf('cancelled', { subject: name })
  if (failed > 0) return headingOf('batch-failed', { ...count, failed: String(failed) })
  if (unknown > 0) return headingOf('batch-unknown', { ...count, unknown: String(unknown) })
  if (unfinished > 0) {
    return headingOf('batch-unfinished', { ...count, open: String(unfinished) })
  }
  if (notStarted > 0) {
    const waiting = { waiting: String(notStarted), were: were(notStarted) }
    return headingOf('batch-not-started', { ...count, ...waiting })
  }
  return headingOf('batch-results-missing', { ...count, missing: String(succeeded) })
}

/** What the runs came to, and why no more were started. */
export function batchFailureLines(
  { counts, stop }: BatchEnd,
  { failing }: Pick<BatchSurvey, 'failing'>,
  show: Show,
): string[] {
  const unsuccessful = everyCategory.filter((category) => category !== 'succeeded')
  const allowed = unsuccessful.reduce((sum, each) => sum + counts[each] - failing[each], 0)
  const note = allowed > 0 ? ` (${allowed} allowed by fail-on)` : ''
  return [
    `Of ${counts.total}: ${describeCounts(counts, everyCategory)}${note}.`,
    ...(stop ? [describeStop(stop, show)] : []),
  ]
}
