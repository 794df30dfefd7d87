import { describe, expect, it } from '@jest/globals'
import { describeBug, describeProblem, maxMessageLength } from '../../../src/messages/annotation.ts'
import { describeFailure } from '../../../src/messages/failure-annotation.ts'
import type { FailureKind } from '../../../src/messages/failure.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { annotationOf, type FailureFacts } from '../../support/execution-report.ts'

const id = '3fa85f64-5717'
const facts = { automation: 'daily_report', executionId: id, duration: 130_000 }
const cause = { text: 'ValueError: no rows', file: '/app/jobs/report.py', line: 42 }
const artifactUrl = 'https://github.com/octo/repo/actions/runs/1/artifacts/2'

describe('the annotation of a failed run', () => {
  it('tells the cause first, then what happened, how far it got, where the log is, what to do', () => {
    expect(annotationOf({ ...facts, failure: { kind: 'error' }, cause, artifactUrl })).toEqual({
      title: 'daily_report failed',
      entry: 'failed',
      message: [
        'ValueError: no rows (/app/jobs/report.py, line 42)',
        'The automation raised an error.',
        'It ran for 2 min 10 s (execution 3fa85f64-5717).',
        `Log: in the artifact ${artifactUrl}`,
        'Next: Fix the automation, then re-run this job.',
      ].join('\n'),
    })
  })

  it('points at the file and line, where the workspace has the file of the traceback', () => {
    const findInWorkspace = (file: string) =>
      file === '/app/jobs/report.py' ? 'jobs/report.py' : undefined
    const failed: FailureFacts = { ...facts, failure: { kind: 'error' }, findInWorkspace }

    expect(annotationOf({ ...failed, cause })).toMatchObject({
      file: 'jobs/report.py',
      line: 42,
    })
    expect(annotationOf({ ...failed, cause: { ...cause, file: '/etc/x.py' } })).not.toHaveProperty(
      'file',
    )
    expect(annotationOf(failed)).not.toHaveProperty('line')
  })

  it.each<[FailureKind, string, string]>([
    [
      { kind: 'container-error' },
      'daily_report died',
      `The container died before the automation answered.
It ran for 2 min 10 s (execution ${id}).
Next: Check for out-of-memory, a crash or a forced exit in the automation, then re-run this job.`,
    ],
    [
      { kind: 'stopped' },
      'daily_report was stopped',
      `Someone stopped the run from the dashboard.
It ran for 2 min 10 s (execution ${id}).
Next: Ask who stopped it, then re-run this job.`,
    ],
    [
      { kind: 'timed-out', timeout: 120_000, checks: 1, failedChecks: 0 },
      'daily_report timed out',
      `Not finished within 2 min (the input timeout), after 1 check. The run goes on.
Watched for 2 min 10 s.
Next: Increase the input timeout, or fetch it with run-automation/run-automation/wait@v1 and execution-id ${id}.`,
    ],
    [
      { kind: 'timed-out', timeout: 0, checks: 1, failedChecks: 0 },
      'daily_report is not over yet',
      `Not finished yet: this step looked once (timeout: 0s). The run goes on.
Watched for 2 min 10 s.
Next: Increase the input timeout, or fetch it with run-automation/run-automation/wait@v1 and execution-id ${id}.`,
    ],
    [
      { kind: 'timed-out', timeout: 120_000, checks: 9, failedChecks: 2 },
      'daily_report timed out',
      `Not finished within 2 min (the input timeout), after 9 checks (2 of them failed). The run goes on.
Watched for 2 min 10 s.
Next: Increase the input timeout, or fetch it with run-automation/run-automation/wait@v1 and execution-id ${id}.`,
    ],
    [
      {
        kind: 'timed-out',
        timeout: 120_000,
        checks: 9,
        failedChecks: 7,
        lastFailure: 'the service answered 500: Out of memory.',
      },
      'daily_report timed out',
      `No end was seen within 2 min (the input timeout): 7 of 9 checks failed, the last one too (the service answered 500: Out of memory). Whether the run goes on is not known.
Watched for 2 min 10 s.
Next: Check status-base-url (or base-url), and whether the service is well; then fetch it with run-automation/run-automation/wait@v1 and execution-id ${id}.`,
    ],
    [
      { kind: 'timed-out', timeout: 0, checks: 1, failedChecks: 1, lastFailure: 'it was reset' },
      'daily_report timed out',
      `This step looked once (timeout: 0s), and the check failed (it was reset). Whether the run goes on is not known.
Watched for 2 min 10 s.
Next: Check status-base-url (or base-url), and whether the service is well; then fetch it with run-automation/run-automation/wait@v1 and execution-id ${id}.`,
    ],
    [
      { kind: 'checks-refused', status: 422, words: 'exec_uuid: no UUID' },
      'daily_report can no longer be watched',
      `For 5 minutes the service answered no check properly, but 422 (exec_uuid: no UUID). Whether the run goes on is not known.
Watched for 2 min 10 s.
Next: Check status-base-url (or base-url) and the execution id, then fetch it with run-automation/run-automation/wait@v1 and execution-id ${id}.`,
    ],
    [
      { kind: 'cancelled', ended: false },
      'daily_report: this step was cancelled',
      `The step was cancelled while the automation was running. The run goes on: the service has no way to stop it from here.
Watched for 2 min 10 s.
Next: When it is over, fetch it with run-automation/run-automation/wait@v1 and execution-id ${id}.`,
    ],
    [
      { kind: 'cancelled', ended: true },
      'daily_report: this step was cancelled',
      `The step was cancelled while it fetched or published what the run had left.
Watched for 2 min 10 s.
Next: For all that the run left, fetch it with run-automation/run-automation/wait@v1 and execution-id ${id}.`,
    ],
    [
      { kind: 'credentials-refused', status: 401, words: 'Token expired.' },
      'daily_report can no longer be watched',
      `The service refused the credentials while the run was being watched: it answered 401 (Token expired). Whether the run goes on is not known.
Watched for 2 min 10 s.
Next: Check api-token, api-key and authorization-scheme, then fetch it with run-automation/run-automation/wait@v1 and execution-id ${id}.`,
    ],
    [
      { kind: 'not-found', words: '' },
      'daily_report was not found',
      `The service knows no such execution: it does not exist, or belongs to another account.
Watched for 2 min 10 s (execution ${id}).
Next: Check the execution id, status-base-url, and that api-token and api-key belong to the account that started it.`,
    ],
    [
      { kind: 'result-not-fetched', why: 'the store answered 500' },
      'daily_report succeeded, but its result is missing',
      `The run succeeded and its result was kept, but it could not be downloaded (the store answered 500).
It ran for 2 min 10 s.
Next: Do not start it again: fetch it with run-automation/run-automation/wait@v1 and execution-id ${id}.`,
    ],
    [
      { kind: 'copy-not-written', input: 'result-file', why: 'no space is left' },
      'daily_report is over, but a copy could not be written',
      `The copy for result-file could not be written (no space is left).
It ran for 2 min 10 s.
Next: Do not start it again: when the file can be written, fetch it with run-automation/run-automation/wait@v1 and execution-id ${id}.`,
    ],
    [
      { kind: 'outputs-not-written', why: 'no space is left' },
      'daily_report is over, but the outputs could not be written',
      `The next steps get no outputs of this one (no space is left).
It ran for 2 min 10 s.
Next: Do not start it again: when the file can be written, fetch it with run-automation/run-automation/wait@v1 and execution-id ${id}.`,
    ],
    [
      { kind: 'cancelled', ended: true, retrying: true },
      'daily_report: this step was cancelled',
      `The step was cancelled before it started the automation again.
Watched for 2 min 10 s.
Next: For all that the run left, fetch it with run-automation/run-automation/wait@v1 and execution-id ${id}.`,
    ],
  ])('%j', (failure, title, message) => {
    expect(annotationOf({ ...facts, failure })).toMatchObject({ title, message })
  })

  it.each([
    [
      false,
      'The start was sent once and got no clear answer (socket hang up). A run may exist; it was not sent again.',
    ],
    [
      true,
      'The step was cancelled while the start was on its way (socket hang up). A run may exist; it was not sent again.',
    ],
  ])(
    'an unknown start (cancelled: %s) says that a run may exist and where to look',
    (cancelled, what) => {
      const failure: FailureKind = { kind: 'unknown-start', why: 'socket hang up', cancelled }

      expect(annotationOf({ automation: 'daily_report', failure })).toEqual({
        title: 'daily_report may or may not have started',
        entry: 'may-or-may-not-have-started',
        message: `${what}\nNext: Look for a new run in the service's dashboard, or at the receiver of the webhook, before you start it again.`,
      })
    },
  )

  it('an unknown start that a web page answered sends people to the address first', () => {
    const failure: FailureKind = { kind: 'unknown-start', why: 'a page', isWebPage: true }
    const { message } = annotationOf({ automation: 'daily_report', failure })
    expect(message).toContain(
      "\nNext: Check base-url: most likely it is not the service's address.",
    )
    expect(message).toContain("If it is, look for a new run in the service's dashboard")
  })

  it('names the execution where the automation is not known', () => {
    const { title } = annotationOf({ executionId: id, failure: { kind: 'stopped' } })

    expect(title).toBe(`Execution ${id} was stopped`)
  })

  it('names the log on the runner where there is no artifact', () => {
    const { message } = annotationOf({
      ...facts,
      failure: { kind: 'error' },
      logFile: '/tmp/run.log',
    })

    expect(message).toContain('\nLog: on the runner, /tmp/run.log\n')
  })

  it('does not take the last words of a run that goes on for a cause', () => {
    const failure: FailureKind = { kind: 'timed-out', timeout: 1_000, checks: 2, failedChecks: 0 }

    expect(annotationOf({ ...facts, failure, cause }).message).not.toContain('ValueError')
  })

  it('keeps the hint and the limit of 4096 characters, however long the rest is', () => {
    const long = 'x'.repeat(100_000)
    const { title, message } = annotationOf({
      automation: long,
      executionId: long,
      duration: 1,
      failure: { kind: 'credentials-refused', status: 403, words: long },
      cause: { text: long, file: long, line: 1 },
      artifactUrl: `https://${long}`,
    })

    expect(title.length).toBeLessThanOrEqual(200)
    expect(message.length).toBeLessThanOrEqual(maxMessageLength)
    expect(message).toMatch(
      /Next: Check api-token, api-key and authorization-scheme, then fetch it .*…\.$/,
    )
  })

  it('has a line per fact, whatever line breaks and commands foreign words hold', () => {
    const foreign = 'a\r\n::error::b\u001b[31m##[error]c'
    const failure: FailureKind = { kind: 'error' }
    const { message } = annotationOf({
      ...facts,
      failure,
      cause: { text: foreign, file: foreign },
    })

    expect(message.split('\n')).toHaveLength(4)
    expect(message).not.toMatch(/^::|##\[|\p{Cc}(?<!\n)/mu)
  })
})

describe('a secret in the annotation of a failed run', () => {
  const secrets = new Secrets(() => undefined)
  secrets.add('s3cr3t-value')
  const show = (text: string) => secrets.show(text)
  const error: FailureKind = { kind: 'error' }
  const all = (text: string) => ({
    automation: text,
    executionId: text,
    duration: 1,
    cause: { text, file: text, line: 1 },
  })

  it('is hidden in all words of others', () => {
    const text = 'a s3cr3t-value'
    const told = [
      describeFailure(error, all(text), { artifactUrl: text }, show),
      describeFailure(error, all(text), { logFile: text }, show),
      describeFailure({ kind: 'not-found', words: text }, all(text), {}, show),
    ]

    expect(JSON.stringify(told)).not.toContain('s3cr3t')
  })

  it.each([100, 200, 500, 1_200])('is not left in part by a cut at %i characters', (limit) => {
    for (let before = limit - 12; before < limit; before++) {
      const text = `${'x'.repeat(before)}s3cr3t-value${'y'.repeat(limit)}`
      const { title, message } = describeFailure(error, all(text), { logFile: text }, show)
      expect(title + message).not.toContain('xs')
    }
  })
})

describe('the annotation of any other end', () => {
  it('tells the message line by line, and what to do', () => {
    expect(
      describeProblem({
        title: 'Nothing was started',
        entry: 'invalid-input',
        message: 'timeout: expected a duration, found 10x\nproject: is required',
        hint: 'Correct the inputs.',
      }),
    ).toEqual({
      title: 'Nothing was started',
      entry: 'invalid-input',
      message:
        'timeout: expected a duration, found 10x\nproject: is required\nNext: Correct the inputs.',
    })
  })

  it('cuts the message, never the hint', () => {
    const { message } = describeProblem({
      title: 'x',
      entry: 'invalid-input',
      message: Array(100).fill('y'.repeat(100)).join('\n'),
      hint: 'Do this.',
    })

    expect(message).toHaveLength(maxMessageLength)
    expect(message).toMatch(/y…\nNext: Do this\.$/)
  })

  it('says of a bug of ours that it is ours, and where to report it, without a stack', () => {
    const { title, message } = describeBug(
      new TypeError('x is undefined'),
      'https://example.org/issues',
    )

    expect(title).toBe('A bug in this action, not in your workflow')
    expect(message.split('\n')).toEqual([
      'TypeError: x is undefined',
      "Next: Report it at https://example.org/issues with this step's log; debug logging shows where it happened.",
    ])
  })
})
