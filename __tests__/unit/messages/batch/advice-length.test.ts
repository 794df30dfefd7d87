/** Tests that the advice after each end of a batch has at most 30 words. */
import { expect, it } from '@jest/globals'
import { adviseOn } from '../../../../src/messages/advice.ts'
import { batchHint } from '../../../../src/messages/batch/hint.ts'
import { batchEndOf, refusedStart } from '../../../support/batch-records.ts'
import { combine } from '../../../support/combine.ts'
import { unreachedFailures } from '../../../support/failures.ts'

const show = (text: string) => text
const bools = [true, false]
const hints = unreachedFailures.map((one) => adviseOn(one, 'start', show).hint)
const [advice] = hints.toSorted((one, other) => other.length - one.length)
const runs = [
  {},
  { conclusion: 'error' },
  { conclusion: 'invalid-result' },
  { conclusion: 'not-started' },
  { conclusion: 'not-started', advice },
  { conclusion: 'unknown' },
  { conclusion: 'unknown', executionId: undefined },
  { conclusion: 'timed-out' },
  { failsStep: true },
  { failsStep: true, isDiskFull: true },
] as const
const subsets = Array.from({ length: 2 ** runs.length }, (_, bits) =>
  runs.filter((_run, at) => (bits >> at) % 2 === 1),
)
const refused = refusedStart('no', 403)
const stoppedBy = [
  undefined,
  refusedStart('no'),
  refused,
  { ...refused, call: 'check' },
  { kind: 'fail-fast', seed: { index: 0 } },
] as const
const conclusion = ['failure', 'timed-out', 'cancelled'] as const
const artifact = [undefined, { name: 'a', url: 'https://a' }]
const batchEnds = combine({
  stoppedBy,
  conclusion,
  failedSeedsFile: [undefined, '/f'],
  artifact,
  isOnRecord: bools,
})

it('an advice is short after each end of a batch', () => {
  const all = subsets.flatMap((runs) =>
    batchEnds.map((end) => batchHint(batchEndOf(runs, end), show)),
  )
  expect([...new Set(all)].filter((hint) => hint.split(/\s+/).length > 30)).toEqual([])
})
