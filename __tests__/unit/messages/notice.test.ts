/** Tests what a notice says besides the reason, which transcripts and scenarios show. */
import { expect, it } from '@jest/globals'
import type { RunReport } from '../../../src/execution/report.ts'
import { noticeOfFailure } from '../../../src/messages/failure-notice.ts'
import { notWritable } from '../../../src/messages/notice.ts'
import { collected, noFiles, raisedError, reportOf } from '../../support/run-report.ts'

const log = { kind: 'file', path: '/tmp/run.log', size: 1, mediaType: 'text/plain' } as const
const end = collected({ executionId: 'e-1', outcome: 'error', files: { ...noFiles, log } })

it.each<[RunReport['watched'], string]>([
  ['all', 'It ran for 2 min 10 s (execution e-1).'],
  ['a-part', 'This step watched it for 2 min 10 s (execution e-1).'],
  ['one-check', 'This is execution e-1.'],
])('a notice says how much of the run the step saw: %s', (watched, howFar) => {
  const where = 'Log: on the runner, /tmp/run.log'
  const { facts } = noticeOfFailure(raisedError, reportOf(end, { watched }), undefined)
  expect(facts).toEqual([howFar, where])
})

const cannotWrite = 'Cannot write the folder /temp: '

it.each<[code: string, owner: number | undefined, why: string, next: RegExp]>([
  ['ENOSPC', undefined, "The runner's disk is full (RUNNER_TEMP).", /^Next: Free space .* larger/],
  ['ENOENT', undefined, `${cannotWrite}no such file or directory (ENOENT).`, /^Next: Let this /],
  [
    'EACCES',
    1001,
    `${cannotWrite}permission denied (EACCES).`,
    /: --user 1001, the owner\. Or let /,
  ],
])('a step that cannot write says what to do: %s, owner %s', (code, owner, why, next) => {
  const error = Object.assign(new Error('no'), { code })
  const { notice } = notWritable('the folder /temp', error, owner)
  expect(notice.why).toEqual([`${why} No request was sent.`])
  expect(notice.advice).toEqual([expect.stringMatching(next)])
})
