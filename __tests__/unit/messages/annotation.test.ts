import { describe, expect, it } from '@jest/globals'
import { describeBug, describeProblem, maxMessageLength } from '../../../src/messages/annotation.ts'
import { describeFailure } from '../../../src/messages/failure-annotation.ts'
import type { Failure } from '../../../src/messages/failure.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { annotationOf, type FailureFacts, raisedError } from '../../support/execution-report.ts'
import { reportAt } from '../../../src/version.ts'

const id = '3fa85f64-5717'
const facts = { automation: 'daily_report', executionId: id, duration: 130_000 }
const cause = { text: 'ValueError: no rows', file: '/app/jobs/report.py', line: 42 }
const artifactUrl = 'https://github.com/octo/repo/actions/runs/1/artifacts/2'

describe('the annotation of a failed run', () => {
  it('tells the cause first, then what happened, how far it got, where the log is, what to do', () => {
    expect(annotationOf({ ...facts, failure: raisedError, cause, artifactUrl })).toEqual({
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
    const failed: FailureFacts = { ...facts, failure: raisedError, findInWorkspace }

    expect(annotationOf({ ...failed, cause })).toMatchObject({
      file: 'jobs/report.py',
      line: 42,
    })
    expect(annotationOf({ ...failed, cause: { ...cause, file: '/etc/x.py' } })).not.toHaveProperty(
      'file',
    )
    expect(annotationOf(failed)).not.toHaveProperty('line')
  })

  it('names the execution where the automation is not known', () => {
    const { title } = annotationOf({
      executionId: id,
      failure: { ...raisedError, title: 'stopped' },
    })

    expect(title).toBe(`Execution ${id} was stopped`)
  })

  it('names the log on the runner where there is no artifact', () => {
    const { message } = annotationOf({
      ...facts,
      failure: raisedError,
      logFile: '/tmp/run.log',
    })

    expect(message).toContain('\nLog: on the runner, /tmp/run.log\n')
  })

  it('does not take the last words of a run that goes on for a cause', () => {
    const failure: Failure = { ...raisedError, title: 'timed-out' }

    expect(annotationOf({ ...facts, failure, cause }).message).not.toContain('ValueError')
  })

  it('keeps the hint and the limit of 4096 characters, however long the rest is', () => {
    const long = 'x'.repeat(100_000)
    const { title, message } = annotationOf({
      automation: long,
      executionId: long,
      duration: 1,
      failure: raisedError,
      cause: { text: long, file: long, line: 1 },
      artifactUrl: `https://${long}`,
    })

    expect(title.length).toBeLessThanOrEqual(200)
    expect(message.length).toBeLessThanOrEqual(maxMessageLength)
    expect(message).toMatch(/\nNext: Fix the automation, then re-run this job\.$/)
  })

  it('has a line per fact, whatever line breaks and commands foreign words hold', () => {
    const foreign = 'a\r\n::error::b\u001b[31m##[error]c'
    const { message } = annotationOf({
      ...facts,
      failure: raisedError,
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
  const all = (text: string) => ({
    automation: text,
    executionId: text,
    duration: 1,
    cause: { text, file: text, line: 1 },
  })

  it('is hidden in all words of others', () => {
    const text = 'a s3cr3t-value'
    const told = [
      describeFailure(raisedError, all(text), { artifactUrl: text }, show),
      describeFailure(raisedError, all(text), { logFile: text }, show),
    ]

    expect(JSON.stringify(told)).not.toContain('s3cr3t')
  })

  it.each([100, 200, 500, 1_200])('is not left in part by a cut at %i characters', (limit) => {
    for (let before = limit - 12; before < limit; before++) {
      const text = `${'x'.repeat(before)}s3cr3t-value${'y'.repeat(limit)}`
      const { title, message } = describeFailure(raisedError, all(text), { logFile: text }, show)
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
    const { title, message } = describeBug(new TypeError('x is undefined'))

    expect(title).toBe('A bug in this action, not in your workflow')
    expect(message.split('\n')).toEqual([
      'TypeError: x is undefined',
      `Next: Report it at ${reportAt} with this step's log; debug logging shows where it happened.`,
    ])
  })
})
