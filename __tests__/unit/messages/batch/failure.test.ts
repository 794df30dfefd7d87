import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { RunRecord } from '../../../../src/execution/batch/batch.ts'
import { maxMessageLength, type Annotation } from '../../../../src/messages/annotation.ts'
import type { BatchEnd } from '../../../../src/messages/batch/end.ts'
import { batchCause, describeBatchFailure } from '../../../../src/messages/batch/failure.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { batchEndOf, refusedStart } from '../../../support/batch-records.ts'
import { hostileText } from '../../../support/hostile-text.ts'

const asItIs = (text: string) => text
const does = 'it keeps successful runs and starts the rest'

function annotationOf(
  runs: readonly Partial<RunRecord>[],
  end: Partial<BatchEnd> = {},
  show: (text: string) => string = asItIs,
): Annotation {
  return describeBatchFailure(batchEndOf(runs, end, show), show)
}

const artifactAt = (url: string) => ({ artifact: { name: 'report-batch', url } })

describe('the one annotation of a batch', () => {
  it('has the number of failed runs, the first five causes, the place of the others, and advice', () => {
    const failed = Array.from({ length: 7 }, (_, at) => ({
      conclusion: 'error' as const,
      label: `city ${at}`,
      cause: `ValueError: no rows in ${at}`,
    }))
    const end = {
      ...artifactAt('https://github.com/o/r/actions/runs/1/artifacts/2'),
      failedSeedsFile: '/tmp/failed-seeds.jsonl',
    }

    expect(annotationOf([{}, ...failed, {}], end)).toEqual({
      title: 'report: 7 of 9 runs failed',
      entry: 'runs-failed',
      message: `Run 2 (city 0) failed: ValueError: no rows in 0 (execution id-2)
Run 3 (city 1) failed: ValueError: no rows in 1 (execution id-3)
Run 4 (city 2) failed: ValueError: no rows in 2 (execution id-4)
Run 5 (city 3) failed: ValueError: no rows in 3 (execution id-5)
Run 6 (city 4) failed: ValueError: no rows in 4 (execution id-6)
… and 2 more; see results-file.
Artifact: https://github.com/o/r/actions/runs/1/artifacts/2
Next: Fix the cause. Then re-run this job: ${does}. Or start only the failed seeds: use failed-seeds.jsonl of the artifact as seeds-file.`,
    })
  })

  it.each<[string, Partial<BatchEnd>, string]>([
    [
      'the file on the runner if there is no artifact',
      { failedSeedsFile: '/f' },
      'use /f as seeds-file',
    ],
    ['no seeds that could not be written', artifactAt('https://a'), 'it starts all runs.'],
    [
      'no results-file that could not be written',
      { resultsFile: undefined },
      '1 more; see the log.',
    ],
  ])('names %s', (_what, end, words) => {
    const runs = Array<Partial<RunRecord>>(6).fill({ conclusion: 'stopped' })

    expect(annotationOf(runs, end).message).toContain(words)
  })

  it('counts in its title the runs that fail the step, and says what fail-on allows', () => {
    const runs = [
      { conclusion: 'error', failsStep: false },
      { conclusion: 'container-error' },
    ] as const

    expect(annotationOf(runs)).toMatchObject({
      title: 'report: 1 of 2 runs failed',
      message: expect.stringMatching(
        /^Run 2 died .*\nIn all: 2 failed \(1 allowed by fail-on\)\.\n/,
      ),
    })
  })

  const success = {}
  const error = { conclusion: 'error' } as const
  const notStarted = { conclusion: 'not-started' } as const
  const timedOut = { conclusion: 'timed-out' } as const
  const cancelled = { conclusion: 'cancelled' } as const
  const unclear = { conclusion: 'unknown', executionId: undefined } as const
  const lost = { failsStep: true } as const
  const unwritten = { failsStep: true, isDiskFull: true } as const
  const unreached = { ...notStarted, advice: 'Check base-url.' }
  const noRecord = { isOnRecord: false } as const
  const refused = (status: number) => ({ stoppedBy: refusedStart('Bad token.', status) })
  const refusedCheck = { stoppedBy: { ...refused(403).stoppedBy, call: 'check' } } as const

  const ends: Record<string, [Partial<RunRecord>[], Partial<BatchEnd>?]> = {
    'a failure': [[error]],
    'an outcome that is unknown': [[{ conclusion: 'unknown' }]],
    'starts without an answer': [[success, unclear]],
    'starts of which none got an answer': [[unclear]],
    'starts without an answer beside failures': [[error, unclear]],
    'a timeout before all seeds had a run': [[timedOut, notStarted], timedOut],
    'a timeout before all earlier runs were asked for': [
      [success, { ...timedOut, stopReason: 'timed-out' }],
      timedOut,
    ],
    'a timeout beside failures': [[error, { ...notStarted, stopReason: 'timed-out' }], timedOut],
    'credentials that may not start': [[success, notStarted], refused(403)],
    'credentials that may not watch': [[success, notStarted], refusedCheck],
    'a cancellation': [[error, cancelled], cancelled],
    'a cancellation beside starts without an answer': [[cancelled, unclear], cancelled],
    'a cancellation before any start': [[notStarted], cancelled],
    'a cancellation, if no re-run knows the runs': [
      [success, cancelled],
      { ...cancelled, ...noRecord },
    ],
    'a cancellation after all started runs ended': [
      [success, notStarted],
      { ...cancelled, ...noRecord },
    ],
    'a timeout, if no re-run knows the runs': [[success, timedOut], { ...timedOut, ...noRecord }],
    'a failure, if no re-run knows the runs': [[success, error], noRecord],
    'refused credentials, whose record others cannot read': [
      [{ conclusion: 'unknown' }, notStarted],
      refused(401),
    ],
    'results that refused credentials kept from being fetched': [[success, lost], refused(401)],
    'results that are missing': [[lost]],
    'results that are missing beside failures': [[error, lost]],
    'results for which the disk has no space': [[success, unwritten]],
    'results without space beside a timeout': [[unwritten, timedOut], timedOut],
    'results without space beside failures': [[unwritten, error]],
    'starts for which no connection was made': [[unreached, notStarted], timedOut],
    'a start for which no connection was made, after others': [[unreached, success], timedOut],
  }

  it('has a title and advice for each end', () => {
    const texts = Object.entries(ends).map(([name, [runs, end]]) => {
      const { title, message } = annotationOf(runs, end)
      return [`── ${name}`, title, message.split('\n').at(-1)].join('\n')
    })
    expect(texts.join('\n\n')).toMatchSnapshot()
  })

  it('says which seeds the file of failed seeds has', () => {
    const file = { failedSeedsFile: '/tmp/f.jsonl' }
    const run = (conclusion: RunRecord['conclusion']) => ({ conclusion })
    const both = annotationOf([run('error'), run('not-started')], file)

    expect(both.message).toContain('Or start only the failed or unstarted seeds:')
    const late = annotationOf([run('not-started')], { conclusion: 'timed-out', ...file })
    expect(late.message).toContain('Or start only the unstarted seeds:')
  })

  it('says once why a start was not accepted', () => {
    const runs = [{ conclusion: 'not-started' as const, cause: 'the service answered 401: no' }]
    const annotation = annotationOf(runs, { conclusion: 'timed-out' })
    const toldBefore = annotationOf(runs, { stoppedBy: refusedStart('no') })

    expect(annotation.message).toMatch(/^Run 1 was not started: the service answered 401: no\n/)
    expect(toldBefore.message).toContain('The service answered 401 to the start of run 1 (no), so')
    expect(toldBefore.message).not.toContain('Run 1 was not started')
  })

  it('has no causes of runs that waited for their turn, because all are equal', () => {
    const late = { conclusion: 'not-started', stopReason: 'timed-out' } as const
    const held = { ...late, cause: 'the service answered 429' }
    const { message } = annotationOf([late, held], { conclusion: 'timed-out' })

    expect(message).toMatch(
      /^Run 2 was not started: the service answered 429\nThe input timeout ran out\.\nNext:/,
    )
  })

  it('says in its first line what went wrong, and each thing once', () => {
    const failed = { ...error, cause: 'ValueError: no rows' }
    const first = (runs: Partial<RunRecord>[], end: Partial<BatchEnd> = {}) =>
      annotationOf(runs, end).message.split('\n', 1)[0]
    const failFast = { stoppedBy: { kind: 'fail-fast', seed: { index: 1 } } } as const

    expect(first([success, failed])).toBe('Run 2 failed: ValueError: no rows (execution id-2)')
    expect(first([success, failed, notStarted], failFast)).toContain('ValueError: no rows')
    expect(first([success, notStarted], refused(401))).toContain('The service answered 401')
    const late = { ...notStarted, stopReason: 'timed-out' } as const
    expect(first([success, late], timedOut)).toBe('The input timeout ran out.')
    expect(first([success, failed, cancelled], cancelled)).toBe(
      'The step was cancelled: 1 succeeded, 1 failed, 1 unfinished.',
    )
  })

  it('is short enough for the runner and without commands, whatever the foreign texts are', () => {
    fc.assert(
      fc.property(hostileText, hostileText, fc.nat(2_000), (one, other, times) => {
        const text = one + `${other}x`.repeat(times)
        const run = { conclusion: 'error', label: text, cause: text, executionId: text } as const
        const stoppedBy = refusedStart(text, 401, 1e9)
        const files = { ...artifactAt(text), failedSeedsFile: text }
        const end = { automation: text, stoppedBy, ...files }
        const { title, message } = annotationOf(Array(9).fill(run), end)

        expect(message.length).toBeLessThanOrEqual(maxMessageLength)
        expect(title.length).toBeLessThanOrEqual(200)
        expect(message.split('\n').at(-1)).toMatch(/^Next: .*\.$/)
        expect(title + message).not.toMatch(/[^\P{Cc}\n]|\u2028|[\u202a-\u202e]|##\[|^\s*::/mu)
      }),
      { numRuns: 50 },
    )
  })

  it('shows no secret, wherever it stands', () => {
    const secrets = new Secrets(() => undefined)
    secrets.add('correct-horse')
    const text = 'the correct-horse one'
    const run = { conclusion: 'error', label: text, cause: text } as const
    const files = { ...artifactAt(text), failedSeedsFile: text }
    const end = { automation: text, stoppedBy: refusedStart(text), ...files }
    const { title, message } = annotationOf([run], end, secrets.show)

    expect(title + message).not.toContain('correct-horse')
    expect(title + message).toContain('the *** one')
  })
})

describe('the output cause of a batch', () => {
  const causeOf = (runs: readonly Partial<RunRecord>[], end: Partial<BatchEnd> = {}) =>
    batchCause(batchEndOf(runs, end), asItIs)

  it('is the first line of the annotation, also if fail-on allows the failure', () => {
    const failed = { conclusion: 'error', cause: 'ValueError: no rows' } as const
    const words = 'Run 2 failed: ValueError: no rows (execution id-2)'
    expect(causeOf([{}, failed])).toBe(words)
    expect(causeOf([{}, { ...failed, failsStep: false }])).toBe(words)
    const late = { conclusion: 'timed-out', failsStep: false } as const
    expect(causeOf([{}, late], { conclusion: 'timed-out' })).toMatch(/^Run 2 did not finish/)
  })

  it('is empty if all runs succeeded, or if there are none', () => {
    expect([causeOf([{}, {}]), causeOf([])]).toEqual(['', ''])
  })
})
