import { describe, expect, it } from '@jest/globals'
import {
  describeProblem,
  maxMessageLength,
  nothingStarted,
} from '../../../src/messages/annotation.ts'
import { describeFailure } from '../../../src/messages/failure-annotation.ts'
import type { Failure } from '../../../src/messages/failure.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { annotationOf, raisedError, reportOf } from '../../support/execution-report.ts'

const id = '3fa85f64-5717'
const facts = { automation: 'daily_report', executionId: id, duration: 130_000 }
const kept = { kind: 'file', size: 1, mediaType: 'text/plain' } as const
const filesWithLog = (path: string) => ({
  folder: undefined,
  result: { kind: 'not-kept' } as const,
  log: { ...kept, path },
})
const frame = { file: '/app/jobs/report.py', line: 42 }
const cause = { text: 'ValueError: no rows', frame }

describe('the annotation of a failed run', () => {
  it('names the execution, and says how long it was watched, if the step only waits', () => {
    const { title, message } = annotationOf({
      ...reportOf({ automation: undefined, executionId: id, existedBefore: true }),
      failure: { ...raisedError, title: 'stopped' },
    })

    expect(title).toBe(`Execution ${id} was stopped`)
    expect(message).toContain(`\nThis step watched it for 2 min 10 s (execution ${id}).\n`)
  })

  it('names the log on the runner if there is no artifact', () => {
    const { message } = annotationOf({
      ...facts,
      failure: raisedError,
      files: filesWithLog('/tmp/run.log'),
    })

    expect(message).toContain('\nLog: on the runner, /tmp/run.log\n')
  })

  it('does not show the last line of a running run as its cause', () => {
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
      cause: { text: long, frame: { file: long, line: 1 } },
      artifactUrl: `https://${long}`,
      files: filesWithLog('/tmp/run.log'),
    })

    expect(title.length).toBeLessThanOrEqual(200)
    expect(message.length).toBeLessThanOrEqual(maxMessageLength)
    expect(message).toMatch(/\nNext: Fix the automation, then re-run this job\.$/)
  })

  it('has one line per fact, whatever line breaks and commands foreign texts contain', () => {
    const foreign = 'a\r\n::error::b\u001b[31m##[error]c'
    const { message } = annotationOf({
      ...facts,
      failure: raisedError,
      cause: { text: foreign, frame: { file: foreign, line: 1 } },
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
    cause: { text, frame: { file: text, line: 1 } },
    files: filesWithLog(text),
  })

  it('is hidden in all foreign texts', () => {
    const text = 'a s3cr3t-value'
    const annotations = [
      describeFailure(raisedError, all(text), text, show),
      describeFailure(raisedError, all(text), undefined, show),
    ]

    expect(JSON.stringify(annotations)).not.toContain('s3cr3t')
  })

  it.each([100, 200, 500, 1_200])('is not shown in part after a cut at %i', (limit) => {
    for (let before = limit - 12; before < limit; before++) {
      const text = `${'x'.repeat(before)}s3cr3t-value${'y'.repeat(limit)}`
      const { title, message } = describeFailure(raisedError, all(text), undefined, show)
      expect(title + message).not.toContain('xs')
    }
  })
})

describe('the annotation of any other end', () => {
  it('may have a cut message, but never a cut hint', () => {
    const { message } = describeProblem({
      title: 'x',
      entry: 'invalid-input',
      message: Array(100).fill('y'.repeat(100)).join('\n'),
      hint: 'Do this.',
    })

    expect(message).toHaveLength(maxMessageLength)
    expect(message).toMatch(/y…\nNext: Do this\.$/)
  })
})

describe('a step without a folder', () => {
  it.each([
    [
      'ENOSPC',
      "The runner's disk is full (RUNNER_TEMP). Nothing was started.",
      'Free space before this step, or use a larger runner; then re-run this job.',
    ],
    [
      'EACCES',
      'Nothing was started: no.',
      'Set RUNNER_TEMP to a folder that this step can write to. Then re-run this job.',
    ],
  ])('starts nothing, and says what to do after %s', (code, message, hint) => {
    const error = new Error('no', { cause: Object.assign(new Error(code), { code }) })

    expect(nothingStarted('daily_report', error)).toMatchObject({ message, hint })
  })
})
