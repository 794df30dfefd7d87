/** Tests what a notice says besides the reason, which transcripts and scenarios show. */
import { describe, expect, it } from '@jest/globals'
import type { RunReport } from '../../../src/execution/report.ts'
import { noticeOfFailure } from '../../../src/messages/failure-notice.ts'
import { nothingStarted } from '../../../src/messages/notice.ts'
import { collected, noFiles, raisedError, reportOf } from '../../support/run-report.ts'

describe('the notice of a failed run', () => {
  const log = { kind: 'file', path: '/tmp/run.log', size: 1, mediaType: 'text/plain' } as const
  const end = collected({ executionId: 'e-1', outcome: 'error', files: { ...noFiles, log } })
  it.each<[string | undefined, Partial<RunReport>, string[]]>([
    [
      'https://a.test/1',
      {},
      ['It ran for 2 min 10 s (execution e-1).', 'Log: in the artifact https://a.test/1'],
    ],
    [
      undefined,
      { watched: 'a-part' },
      ['This step watched it for 2 min 10 s (execution e-1).', 'Log: on the runner, /tmp/run.log'],
    ],
    [
      undefined,
      { watched: 'one-check' },
      ['This is execution e-1.', 'Log: on the runner, /tmp/run.log'],
    ],
  ])(
    'says how long the step saw it, and where its log is: artifact %s, %j',
    (artifact, given, facts) => {
      expect(noticeOfFailure(raisedError, reportOf(end, given), artifact).facts).toEqual(facts)
    },
  )

  it('does not give the cause of the run as the reason of a cancellation', () => {
    const cut = { ...end, cause: { text: 'ValueError: no rows' }, isInterrupted: true }
    const { why } = noticeOfFailure(
      { ...raisedError, title: 'cancelled' },
      reportOf(cut),
      undefined,
    )
    expect(why.join()).not.toContain('ValueError')
  })
})

it.each([
  ['ENOSPC', "The runner's disk is full (RUNNER_TEMP). Nothing was started.", 'Free space'],
  ['EACCES', 'Nothing was started: no.', 'Set RUNNER_TEMP to a folder'],
])('a step without a folder starts nothing, and says what to do after %s', (code, why, next) => {
  const error = new Error('no', { cause: Object.assign(new Error(code), { code }) })
  const { notice } = nothingStarted('daily_report', error)
  expect(notice).toMatchObject({ why: [why], advice: [expect.stringContaining(next)] })
})
