/** Tests what a notice says besides the reason, which transcripts and scenarios show. */
import { describe, expect, it } from '@jest/globals'
import type { RunReport } from '../../../src/execution/report.ts'
import { noticeOfFailure } from '../../../src/messages/failure-notice.ts'
import { notWritable } from '../../../src/messages/notice.ts'
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
    const cut = {
      ...end,
      cause: { text: 'ValueError: no rows' },
      validation: { kind: 'interrupted' } as const,
    }
    const { why } = noticeOfFailure(
      { ...raisedError, title: 'cancelled' },
      reportOf(cut),
      undefined,
    )
    expect(why.join()).not.toContain('ValueError')
  })
})

it.each<[code: string, owner: number | undefined, why: string, next: string]>([
  [
    'ENOSPC',
    undefined,
    "The runner's disk is full (RUNNER_TEMP). No request was sent.",
    'Free space before this step, or use a larger runner; then re-run this job.',
  ],
  [
    'ENOENT',
    undefined,
    'Cannot write the folder /temp: no such file or directory (ENOENT). No request was sent.',
    'Let this step write the folder /temp. Then re-run this job.',
  ],
  [
    'EACCES',
    1001,
    'Cannot write the folder /temp: permission denied (EACCES). No request was sent.',
    'In a job with container:, set its options: --user 1001, the owner. Or let this step write the folder /temp. Then re-run this job.',
  ],
])('a step that cannot write says what to do: %s, owner %s', (code, owner, why, next) => {
  const error = Object.assign(new Error('no'), { code })
  const { notice } = notWritable('the folder /temp', error, owner)
  expect(notice).toMatchObject({ why: [why], advice: [`Next: ${next}`] })
})
