/** Tests what each end of a run means for the step, with everything else that decides about it. */
import { describe, expect, it } from '@jest/globals'
import { failOnConclusions } from '../../../src/execution/conclusion.ts'
import type { End } from '../../../src/execution/report.ts'
import { judge, type Circumstances } from '../../../src/messages/judge.ts'
import { httpError } from '../../support/failures.ts'
import {
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
  cut: collected({ isInterrupted: true }),
  'timed out': timedOut(),
  cancelled: { kind: 'cancelled', executionId, seen: seenOf() },
  'no access': lost('credentials', httpError(401)),
  rejected: lost('rejected', httpError(400)),
  gone: lost('not-found', httpError(404)),
  refused: refused(httpError(400)),
  'not sent': notSent(new Error('no connection')),
  unclear: unclear(new Error('the connection was cut')),
} as const satisfies Record<string, End>

const none: Circumstances = {
  failOn: new Set(failOnConclusions),
  timeout: 60_000,
  retries: 0,
  retryOn: new Set(),
  outputsLost: undefined,
  cancelled: false,
  isOnRecord: true,
  artifactUrl: undefined,
}

/** Returns why the step fails, and what a re-run may count on. */
function verdictOn(end: End, given: Partial<Circumstances>): string {
  const { notice, fails, isComplete, dependsOnRecord } = judge(reportOf(end), { ...none, ...given })
  const words = [isComplete ? 'reported' : '', dependsOnRecord ? 'on record' : '']
  return [fails ? notice?.name : 'passes', ...words].filter((word) => word !== '').join(', ')
}

const allowed = { failOn: new Set<never>() }
const outputsLost = { outputsLost: 'the disk is full' }

// Each end, and the verdict: as it is, allowed by `fail-on`, with lost outputs, allowed and with lost
// outputs, and if the step was cancelled after the end.
const verdicts: Record<keyof typeof ends, readonly string[]> = {
  success: [
    'passes, reported',
    'passes, reported',
    'outputs-not-written, on record',
    'outputs-not-written, on record',
    'cancelled, on record',
  ],
  'lost result': [
    ...Array<string>(4).fill('result-not-fetched, on record'),
    'cancelled, on record',
  ],
  error: ['error, reported', 'passes, reported', 'error', 'outputs-not-written', 'cancelled'],
  died: [
    'container-error, reported',
    'passes, reported',
    'container-error',
    'outputs-not-written',
    'cancelled',
  ],
  stopped: ['stopped, reported', 'passes, reported', 'stopped', 'outputs-not-written', 'cancelled'],
  invalid: [
    'invalid-result, reported',
    'passes, reported',
    'invalid-result, on record',
    'outputs-not-written, on record',
    'cancelled, on record',
  ],
  'not validated': [...Array<string>(4).fill('not-validated, on record'), 'cancelled, on record'],
  cut: Array<string>(5).fill('cancelled, on record'),
  'timed out': [
    'timed-out, on record',
    'passes, on record',
    'timed-out, on record',
    'outputs-not-written, on record',
    'cancelled, on record',
  ],
  cancelled: Array<string>(5).fill('cancelled, on record'),
  'no access': [...Array<string>(4).fill('no-longer-watched, on record'), 'cancelled, on record'],
  rejected: [...Array<string>(4).fill('no-longer-watched, on record'), 'cancelled, on record'],
  gone: [...Array<string>(4).fill('not-found'), 'cancelled, on record'],
  refused: Array<string>(5).fill('not-started'),
  'not sent': Array<string>(5).fill('not-started'),
  unclear: Array<string>(5).fill('unknown-start'),
}

it.each(Object.entries(ends))('a step whose run ended like this: %s', (name, end) => {
  const circumstances = [
    {},
    allowed,
    outputsLost,
    { ...allowed, ...outputsLost },
    { cancelled: true },
  ]
  expect(circumstances.map((given) => verdictOn(end, given))).toEqual(
    verdicts[name as keyof typeof ends],
  )
})

describe('the words of a verdict', () => {
  const wordsOf = (end: End, given: Partial<Circumstances> = {}) => {
    const { headline, lines, cause } = judge(reportOf(end), { ...none, ...given })
    return { headline, lines, cause }
  }

  it('name the automation and the duration after a success, and no cause', () => {
    expect(wordsOf(ends.success)).toEqual({
      headline: 'daily_report succeeded after 2 min 10 s',
      lines: [],
      cause: '',
    })
  })

  it('name a failure also if fail-on lets the step pass', () => {
    expect(wordsOf(ends.error, allowed)).toEqual({
      headline: 'daily_report failed, allowed by fail-on (after 2 min 10 s)',
      lines: [],
      cause: 'The automation raised an error.',
    })
  })

  it('say what to do with a run that is still running if the step passes', () => {
    expect(wordsOf(ends['timed out'], allowed).lines).toEqual([
      expect.stringMatching(/^The run had not finished/),
      expect.stringMatching(/^Next: Re-run this job: it takes over this run/),
    ])
    expect(wordsOf(ends['timed out']).lines).toEqual([])
  })

  it('promise a take-over only if the run is on record and a re-run would take it over', () => {
    const next = (end: End, isOnRecord: boolean) =>
      judge(reportOf(end), { ...none, isOnRecord }).notice?.advice[0]
    expect(next(ends['timed out'], true)).toMatch(/it takes over this run/)
    expect(next(ends['timed out'], false)).not.toMatch(/it takes over this run/)
    expect(next(ends.gone, true)).not.toMatch(/it takes over this run/)
  })
})
