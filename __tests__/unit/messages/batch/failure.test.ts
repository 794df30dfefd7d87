import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { RunRecord } from '../../../../src/execution/batch/batch.ts'
import { maxMessageLength, type Annotation } from '../../../../src/messages/annotation.ts'
import type { BatchEnd } from '../../../../src/messages/batch/end.ts'
import { describeBatchFailure } from '../../../../src/messages/batch/failure.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { batchEndOf, refusedStart } from '../../../support/batch-records.ts'
import { hostileText } from '../../../support/hostile-text.ts'

const asItIs = (text: string) => text
const wait = 'run-automation/run-automation/wait@v1'
const does = 'it keeps what succeeded and starts the rest'
const startsRest = 'it takes over what still runs and starts the rest'
const takesOver = 'it keeps what succeeded and takes over what still runs'
const each = `each run with ${wait} and its execution id: a re-run of this job starts all runs again.`
const fetch = `fetch each run that may go on with ${wait} and its execution id.`

function annotationOf(
  runs: readonly Partial<RunRecord>[],
  end: Partial<BatchEnd> = {},
  show: (text: string) => string = asItIs,
): Annotation {
  return describeBatchFailure(batchEndOf(runs, end, show), show)
}

/** The artifact of this address. */
const artifactAt = (url: string) => ({ artifact: { name: 'report-batch', url } })

describe('the one annotation of a batch', () => {
  it('tells how many of how many, the first five causes, where the rest is, what to do', () => {
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
      message: `Of 9: 2 succeeded, 7 failed. Run 2 (city 0) failed: ValueError: no rows in 0 (execution id-2)
Run 3 (city 1) failed: ValueError: no rows in 1 (execution id-3)
Run 4 (city 2) failed: ValueError: no rows in 2 (execution id-4)
Run 5 (city 3) failed: ValueError: no rows in 3 (execution id-5)
Run 6 (city 4) failed: ValueError: no rows in 4 (execution id-6)
… and 2 more; see results-file.
Artifact: https://github.com/o/r/actions/runs/1/artifacts/2
Next: Fix what caused the failures. Then re-run this job: ${does}. Or start those that failed alone: failed-seeds.jsonl in the artifact is the seeds-file for them.`,
    })
  })

  it.each<[string, Partial<BatchEnd>, string]>([
    [
      'the file on the runner where there is no artifact',
      { failedSeedsFile: '/tmp/f.jsonl' },
      'alone: /tmp/f.jsonl is',
    ],
    [
      'no file of seeds that could not be written',
      artifactAt('https://github.com/1'),
      `it starts all runs.`,
    ],
    [
      'no results-file that could not be written',
      { resultsFile: undefined },
      '… and 1 more; see the log.',
    ],
  ])('names %s', (_what, end, words) => {
    const runs = Array<Partial<RunRecord>>(6).fill({ conclusion: 'stopped' })

    expect(annotationOf(runs, end).message).toContain(words)
  })

  it('counts in its title what fails the step, and says what fail-on allows', () => {
    const runs = [
      { conclusion: 'error', failsStep: false },
      { conclusion: 'container-error' },
    ] as const

    expect(annotationOf(runs)).toMatchObject({
      title: 'report: 1 of 2 runs failed',
      message: expect.stringMatching(/^Of 2: 2 failed \(1 allowed by fail-on\)\. Run 2 died/),
    })
  })

  it.each<[Partial<RunRecord>, string]>([
    [{ conclusion: 'error' }, '1 of 1 run failed'],
    [{ conclusion: 'unknown' }, 'the outcome of 1 of 1 run is unknown'],
    [{ conclusion: 'timed-out' }, '1 of 1 run did not finish in time'],
    [{ conclusion: 'not-started' }, '1 of 1 run not started'],
    [{ failsStep: true }, 'results of 1 of 1 run missing'],
  ])('speaks of a single run as of one: %j', (run, title) => {
    expect(annotationOf([run]).title).toBe(`report: ${title}`)
  })

  const lookFor =
    "Look in the service's dashboard, or at the receiver of the webhook, for runs of the seeds whose start got no clear answer: a re-run of this job starts them again."

  const newRun =
    'Results that the service no longer has come back only with a new workflow run, which starts all runs again.'

  const refused = (status: number) => refusedStart('Bad token.', status)

  it.each<[string, Partial<RunRecord>[], Partial<BatchEnd>, string, string]>([
    [
      'starts without an answer',
      [{}, { conclusion: 'unknown', executionId: undefined }],
      {},
      'report: the outcome of 1 of 2 runs is unknown',
      `Next: ${lookFor} Then re-run this job: ${does}.`,
    ],
    [
      'starts of which none got an answer',
      [{ conclusion: 'unknown', executionId: undefined }],
      {},
      'report: the outcome of 1 of 1 run is unknown',
      `Next: ${lookFor} Then re-run this job: it starts all runs.`,
    ],
    [
      'starts without an answer beside failures',
      [{ conclusion: 'error' }, { conclusion: 'unknown', executionId: undefined }],
      {},
      'report: 1 of 2 runs failed',
      `Next: ${lookFor} Fix what caused the failures. Then re-run this job: it `,
    ],
    [
      'a timeout that left seeds without a run',
      [{ conclusion: 'timed-out' }, { conclusion: 'not-started' }],
      { conclusion: 'timed-out' },
      'report: 1 of 2 runs did not finish in time',
      `Next: Increase the input timeout. Then re-run this job: ${startsRest}.`,
    ],
    [
      'a timeout before all runs of an earlier attempt were asked for',
      [{}, { conclusion: 'timed-out', stopReason: 'timed-out' }],
      { conclusion: 'timed-out' },
      'report: 1 of 2 runs did not finish in time',
      `Next: Increase the input timeout. Then re-run this job: ${takesOver}.`,
    ],
    [
      'a timeout beside failures',
      [{ conclusion: 'error' }, { conclusion: 'not-started', stopReason: 'timed-out' }],
      { conclusion: 'timed-out' },
      'report: 1 of 2 runs failed',
      `Next: Fix what caused the failures. Increase the input timeout. Then re-run this job: it starts all runs.`,
    ],
    [
      'credentials that may not start',
      [{}, { conclusion: 'not-started' }],
      { stoppedBy: refused(403) },
      'report: 1 of 2 runs not started',
      `Next: Check project and automation, and that the token's account may use them. Then re-run this job: ${does}.`,
    ],
    [
      'credentials that may not watch',
      [{}, { conclusion: 'not-started' }],
      { stoppedBy: { ...refused(403), call: 'check' } },
      'report: 1 of 2 runs not started',
      `Next: Check api-token, api-key and authorization-scheme. Then re-run this job: ${does}.`,
    ],
    [
      'a cancellation',
      [{ conclusion: 'error' }, { conclusion: 'cancelled' }],
      { conclusion: 'cancelled' },
      'report: this step was cancelled',
      `Next: Re-run this job, unless a newer workflow run replaced this one: ${startsRest}. Or ${fetch}`,
    ],
    [
      'a cancellation that left starts without an answer beside runs',
      [{ conclusion: 'cancelled' }, { conclusion: 'unknown', executionId: undefined }],
      { conclusion: 'cancelled' },
      'report: this step was cancelled',
      `Next: ${lookFor} Then re-run this job, unless a newer workflow run replaced this one: ${startsRest}. Or ${fetch}`,
    ],
    [
      'a cancellation before any start',
      [{ conclusion: 'not-started' }],
      { conclusion: 'cancelled' },
      'report: this step was cancelled',
      'Next: Re-run this job when you want it to run.',
    ],
    [
      'a cancellation, where no re-run knows the runs',
      [{}, { conclusion: 'cancelled' }],
      { conclusion: 'cancelled', isOnRecord: false },
      'report: this step was cancelled',
      `Next: Fetch ${each}`,
    ],
    [
      'a cancellation after all started runs were over',
      [{}, { conclusion: 'not-started' }],
      { conclusion: 'cancelled', isOnRecord: false },
      'report: this step was cancelled',
      'Next: Re-run this job, unless a newer workflow run replaced this one: it starts all runs again.',
    ],
    [
      'a timeout, where no re-run knows the runs',
      [{}, { conclusion: 'timed-out' }],
      { conclusion: 'timed-out', isOnRecord: false },
      'report: 1 of 2 runs did not finish in time',
      `Next: Fetch ${each}`,
    ],
    [
      'a failure, where no re-run knows the runs',
      [{}, { conclusion: 'error' }],
      { isOnRecord: false },
      'report: 1 of 2 runs failed',
      'Next: Fix what caused the failures. Then re-run this job: it starts all runs again.',
    ],
    [
      'refused credentials, whose record others cannot read',
      [{ conclusion: 'unknown' }, { conclusion: 'not-started' }],
      { stoppedBy: refused(401) },
      'report: the outcome of 1 of 2 runs is unknown',
      `Next: Check api-token, api-key and authorization-scheme. Then fetch ${each}`,
    ],
    [
      'results that refused credentials kept from being fetched',
      [{}, { failsStep: true }],
      { stoppedBy: refused(401) },
      'report: results of 1 of 2 runs missing',
      `Next: Check api-token, api-key and authorization-scheme. Then fetch ${each}`,
    ],
    [
      'results that the service no longer has',
      [{}, { failsStep: true, isResultGone: true }],
      {},
      'report: results of 1 of 2 runs missing',
      `Next: ${newRun}`,
    ],
    [
      'such results beside others that are missing',
      [{ failsStep: true }, { failsStep: true, isResultGone: true }],
      {},
      'report: results of 2 of 2 runs missing',
      `Next: Re-run this job: it fetches the missing results, and starts nothing. ${newRun}`,
    ],
    [
      'such results beside failures',
      [{ conclusion: 'error' }, { failsStep: true, isResultGone: true }],
      {},
      'report: 1 of 2 runs failed',
      `Next: Fix what caused the failures. Then re-run this job: ${does}. ${newRun}`,
    ],
    [
      'starts for which no connection was made',
      [{ conclusion: 'not-started', advice: 'Check base-url.' }, { conclusion: 'not-started' }],
      { conclusion: 'timed-out' },
      'report: 2 of 2 runs not started',
      `Next: Check base-url. Then re-run this job: it starts all runs.`,
    ],
    [
      'a start for which no connection was made, after others',
      [{ conclusion: 'not-started', advice: 'Check base-url.' }, {}],
      { conclusion: 'timed-out' },
      'report: 1 of 2 runs not started',
      `Next: Increase the input timeout. Then re-run this job: ${does}.`,
    ],
  ])('of %s', (_what, runs, end, title, words) => {
    const annotation = annotationOf(runs, end)

    expect(annotation.title).toBe(title)
    expect(annotation.message).toContain(words)
  })

  it('says which seeds its file has', () => {
    const file = { failedSeedsFile: '/tmp/f.jsonl' }
    const run = (conclusion: RunRecord['conclusion']) => ({ conclusion })
    const both = annotationOf([run('error'), run('not-started')], file)

    expect(both.message).toContain('Or start those that failed or were not started alone:')
    const late = annotationOf([run('not-started')], { conclusion: 'timed-out', ...file })
    expect(late.message).toContain('Or start those that were not started alone:')
  })

  it('tells why a start was not accepted, once', () => {
    const runs = [{ conclusion: 'not-started' as const, cause: 'the service answered 401: no' }]
    const told = annotationOf(runs, { conclusion: 'timed-out' })
    const toldBefore = annotationOf(runs, { stoppedBy: refusedStart('no') })

    expect(told.message).toContain(' Run 1 was not started: the service answered 401: no')
    expect(toldBefore.message).toContain('The service answered 401 to the start of run 1 (no), so')
    expect(toldBefore.message).not.toContain('Run 1 was not started')
  })

  it('has no cause of those that waited for their turn: it is the same for all', () => {
    const run = { conclusion: 'not-started', cause: 'the service answered 429' } as const
    const late = { conclusion: 'not-started', stopReason: 'timed-out' } as const
    const { message } = annotationOf([late, run], { conclusion: 'timed-out' })

    expect(message).toContain(
      'not started; the input timeout ran out. Run 2 was not started: the service answered 429\nNext:',
    )
  })

  it('is short enough for the runner and inert, whatever strangers wrote', () => {
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
