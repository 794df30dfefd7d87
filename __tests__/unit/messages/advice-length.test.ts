/** Tests that each advice has at most 30 words, so that people read it to its end. */
import { expect, it } from '@jest/globals'
import { projectUnknown } from '../../../src/actions/create-project.ts'
import { TimeUp } from '../../../src/clock.ts'
import { UnusableLinkError } from '../../../src/download/store.ts'
import { conclusionOf } from '../../../src/execution/ending.ts'
import { adviseOn } from '../../../src/messages/advice.ts'
import { CutShort } from '../../../src/messages/cut-short.ts'
import { describeEnd } from '../../../src/messages/failure.ts'
import { describeLoss } from '../../../src/messages/loss.ts'
import { NetworkError } from '../../../src/service/errors.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { combine } from '../../support/combine.ts'
import { reportOf } from '../../support/execution-report.ts'
import { finished, running } from '../../support/execution-status.ts'
import { httpError, statuses, unclearFailures, unreachedFailures } from '../../support/failures.ts'

const show = (text: string) => text
const answers = statuses.map((status) => httpError(status, { words: 'no' }))
const unclear = [...answers, ...unclearFailures]
const failures = [...unclear, ...unreachedFailures, new TimeUp('no answer within 1 min')]
const step = { cancelled: AbortSignal.any([]), secrets: new Secrets(show) }
const bools = [true, false]

const status = [undefined]
const outcome = ['error', 'container-error', 'stopped', 'invalid-result'] as const
const checked = { status: [undefined, running], failedChecks: [1] }
const ending = [
  ...combine({ kind: ['finished'], outcome, status: [finished] }),
  ...combine({ kind: ['timed-out'], failure: [undefined, ...unclear], ...checked }),
  ...combine({ kind: ['unknown-start'], failure: unclear, status }),
  ...combine({ kind: ['not-found', 'refused', 'rejected'], failure: answers, status }),
  ...combine({ kind: ['cancelled'], status }),
]
const file = { kind: 'file', path: '', size: 1, mediaType: '' } as const
const log = { kind: 'not-kept' } as const
const facts = { isTakenOver: bools, hasArtifact: bools, timeout: [0, 60_000], retries: [0] }
const results = {
  result: [file, log],
  notValidated: [undefined, 'no'],
  automation: ['daily', undefined],
}
const ends = combine({ ending, ...results, ...facts }).map(
  ({ ending, result, notValidated, automation, ...given }) => {
    const resultProblems = { lines: ['no'], count: 1 }
    const files = { folder: '/tmp', result, log }
    const report = reportOf({ ending, conclusion: conclusionOf(ending), files, resultProblems })
    // The action wait knows no automation, and has no input retry-on.
    const retryOn = new Set(automation === undefined ? [] : ['error', 'container-error'])
    const known = { cancelled: step.cancelled, show, retryOn }
    return describeEnd({ ...report, automation, notValidated }, { ...given, ...known })?.next ?? ''
  },
)

const why = ['no']
const failure = [
  undefined,
  Object.assign(new Error('no'), { code: 'ENOSPC' }),
  httpError(401),
  new UnusableLinkError('no'),
  new NetworkError('no', { mayHaveArrived: false, host: 'store.example' }),
]
const loss = [
  ...combine({ title: ['result-not-fetched'], why, failure }),
  ...combine({ title: ['outputs-not-written'], why }),
]
const losses = combine({ loss, isTakenOver: bools }).map(
  ({ loss, isTakenOver }) => describeLoss(loss, { executionId: 'e-1', isTakenOver, show }).next,
)

it.each([
  ['a start', failures.map((one) => adviseOn(one, 'start', show).hint)],
  ['a creation', failures.map((one) => adviseOn(one, 'create-project', show).hint)],
  ['an unclear creation', failures.map((one) => projectUnknown('reports', one, step).hint)],
  ['the end of a run', ends],
  ['a lost file', losses],
  [
    'a cancellation without time',
    [[], ['e-1'], ['e-1', 'e-2']].map((ids) => new CutShort(true, ids).hint),
  ],
])('an advice is short after %s', (_, hints) => {
  expect([...new Set(hints)].filter((hint) => hint.split(/\s+/).length > 30)).toEqual([])
})
