/** Tests that each advice has at most 30 words, so that people read it to its end. */
import { expect, it } from '@jest/globals'
import { projectUnknown } from '../../../src/actions/create-project.ts'
import { TimeUp } from '../../../src/clock.ts'
import { outcomes } from '../../../src/execution/conclusion.ts'
import type { End } from '../../../src/execution/report.ts'
import { adviseOn } from '../../../src/messages/advice.ts'
import { CutShort } from '../../../src/messages/cut-short.ts'
import { failureOfEnd } from '../../../src/messages/failure.ts'
import { failureOfLoss } from '../../../src/messages/loss.ts'
import { NetworkError } from '../../../src/service/service-errors.ts'
import { combine } from '../../support/combine.ts'
import { running } from '../../support/execution-status.ts'
import { httpError, statuses, unclearFailures, unreachedFailures } from '../../support/failures.ts'
import {
  collected,
  invalid,
  lost,
  noFiles,
  seenOf,
  unclear as unclearStart,
} from '../../support/run-report.ts'

const answers = statuses.map((status) => httpError(status, { words: 'no' }))
const unclear = [...answers, ...unclearFailures]
const failures = [...unclear, ...unreachedFailures, new TimeUp('no answer within 1 min')]
const bools = [true, false]

const seen = [seenOf(), seenOf({ status: running })]
const lateSeen = combine({
  status: [undefined, running],
  failure: [undefined, ...answers, new NetworkError('no', { mayHaveArrived: true })],
}).map((given) => seenOf({ failedChecks: 1, ...given }))
const file = { kind: 'file', path: '', size: 1, mediaType: '' } as const
const files = [file, noFiles.log].map((result) => ({ ...noFiles, result }))
const end: End[] = [
  ...outcomes.flatMap((outcome) =>
    outcome === 'invalid-result' ? [] : combine({ outcome: [outcome], files }).map(collected),
  ),
  ...combine({ validation: [invalid('no'), { kind: 'not-made', why: 'no' }] as const, files }).map(
    collected,
  ),
  collected({ validation: { kind: 'interrupted' } }),
  ...combine({ kind: ['timed-out'], executionId: ['e-1'], seen: lateSeen }),
  ...combine({ kind: ['cancelled'], executionId: ['e-1'], seen }),
  ...combine({ why: ['credentials', 'not-found', 'rejected'], failure: answers }).map(
    ({ why, failure }) => lost(why, failure),
  ),
  ...unclear.map((failure) => unclearStart(failure)),
]
const facts = {
  automation: ['daily', undefined],
  rerunTakesOver: bools,
  resultPlace: ['in the artifact', '(result_file in results-file)'],
  timeout: [0, 60_000],
}
const ends = combine({ end, ...facts }).map(({ end, ...given }) => {
  // The action wait knows no automation, and has no input retry-on.
  const retryOn = new Set(given.automation === undefined ? [] : ['error', 'container-error'])
  return failureOfEnd(end, { ...given, retrying: { retries: 0, retryOn } })?.next ?? ''
})

const failure = [
  undefined,
  Object.assign(new Error('no'), { code: 'ENOSPC' }),
  httpError(401),
  new NetworkError('no', { mayHaveArrived: false, host: 'store.example' }),
]
const result = failure.map((each) => ({ kind: 'unavailable', why: 'no', failure: each }) as const)
const lostFiles = combine({ result }).map((given) => collected({ files: { ...noFiles, ...given } }))
const losses = combine({ end: [...lostFiles, collected()], rerunTakesOver: bools }).map(
  ({ end, rerunTakesOver }) => failureOfLoss(end, 'no', rerunTakesOver)?.next ?? '',
)

it.each([
  ['a start', failures.map((one) => adviseOn(one, 'start').hint)],
  ['a creation', failures.map((one) => adviseOn(one, 'create-project').hint)],
  [
    'an unclear creation',
    failures.map((one) => projectUnknown('reports', unclearStart(one)).advice[0] ?? ''),
  ],
  ['the end of a run', ends],
  ['a lost file', losses],
  [
    'a cancellation without time',
    [[], ['e-1'], ['e-1', 'e-2']].map((ids) => new CutShort(true, ids).notice.advice[0] ?? ''),
  ],
])('an advice is short after %s', (_, hints) => {
  expect(
    [...new Set(hints)].filter((hint) => hint.replace('Next: ', '').split(/\s+/).length > 30),
  ).toEqual([])
})
