/** Tests what each end of a run means for the step, with everything else that decides about it. */
import { expect, it } from '@jest/globals'
import type { End } from '../../../src/execution/report.ts'
import { judge, type Circumstances } from '../../../src/messages/judge.ts'
import { httpError } from '../../support/failures.ts'
import {
  circumstances,
  collected,
  executionId,
  invalid,
  lost,
  noFiles,
  notSent,
  refused,
  reportOf,
  seenOf,
  timedOut,
  unclear,
} from '../../support/run-report.ts'

const lostResult = { ...noFiles, result: { kind: 'unavailable', why: 'the link failed' } } as const
const ends = {
  success: collected(),
  'lost result': collected({ files: lostResult }),
  error: collected({ outcome: 'error' }),
  died: collected({ outcome: 'container-error' }),
  stopped: collected({ outcome: 'stopped' }),
  invalid: collected({ validation: invalid('no') }),
  'not validated': collected({ validation: { kind: 'not-made', why: 'too slow' } }),
  cut: collected({ validation: { kind: 'interrupted' } }),
  'timed out': timedOut(),
  cancelled: { kind: 'cancelled', executionId, seen: seenOf() },
  'no access': lost('credentials', httpError(401)),
  rejected: lost('rejected', httpError(400)),
  gone: lost('not-found', httpError(404)),
  refused: refused(httpError(400)),
  'not sent': notSent(new Error('no connection')),
  unclear: unclear(new Error('the connection was cut')),
} as const satisfies Record<string, End>

/** Returns why the step fails. */
function verdictOn(end: End, given: Partial<Circumstances>): string | undefined {
  const { notice, fails } = judge(reportOf(end), { ...circumstances, ...given })
  return fails ? notice?.name : 'passes'
}

const allowed = { failOn: new Set<never>() }
const outputsLost = { outputsLost: 'the disk is full' }

const [missing, unwritten] = ['result-not-fetched', 'outputs-not-written']
/** Returns the verdicts on an end that `fail-on` never lets pass. */
const always = (name: string) => Array<string>(6).fill(name)
/** Returns the verdicts on an end that `fail-on` may let pass. */
const byFailOn = (name: string) => [name, 'passes', name, unwritten, name, name]

// Each end, and the verdict: as it is, allowed by `fail-on`, with lost outputs, allowed and with lost
// outputs, if the step was cancelled after the end, and allowed but cancelled after the end.
const verdicts: Record<keyof typeof ends, readonly string[]> = {
  success: ['passes', 'passes', unwritten, unwritten, 'cancelled', 'cancelled'],
  'lost result': always(missing),
  error: byFailOn('error'),
  died: byFailOn('container-error'),
  stopped: byFailOn('stopped'),
  invalid: byFailOn('invalid-result'),
  'not validated': always('not-validated'),
  cut: always('cancelled'),
  'timed out': byFailOn('timed-out'),
  cancelled: always('cancelled'),
  'no access': always('no-longer-watched'),
  rejected: always('no-longer-watched'),
  gone: always('not-found'),
  refused: always('not-started'),
  'not sent': always('not-started'),
  unclear: always('unknown-start'),
}

it.each(Object.entries(ends))('a step whose run ended like this: %s', (name, end) => {
  const circumstances = [
    {},
    allowed,
    outputsLost,
    { ...allowed, ...outputsLost },
    { cancelled: true },
    { ...allowed, cancelled: true },
  ]
  expect(circumstances.map((given) => verdictOn(end, given))).toEqual(
    verdicts[name as keyof typeof ends],
  )
})

it('a cancellation after the end is named after the cause of a run that failed', () => {
  const late = 'The step was cancelled before it had published the run.'
  const whyOf = (end: End) =>
    judge(reportOf(end), { ...circumstances, cancelled: true }).notice?.why
  expect(whyOf(ends.success)).toEqual([late])
  expect(whyOf(ends.error)).toEqual(['The automation raised an error.', late])
  for (const name of ['cut', 'cancelled', 'refused', 'unclear'] as const) {
    expect(whyOf(ends[name])).not.toContain(late)
  }
})

it('a step that passes says what to do with a run that may still be running', () => {
  const linesOf = (given: Partial<Circumstances>) =>
    judge(reportOf(ends['timed out']), { ...circumstances, rerunTakesOver: true, ...given }).lines
  expect(linesOf(allowed)).toEqual([
    expect.stringMatching(/^The run had not finished/),
    expect.stringMatching(/^Next: Re-run this job: it takes over this run/),
  ])
  expect(linesOf({})).toEqual([])
})
