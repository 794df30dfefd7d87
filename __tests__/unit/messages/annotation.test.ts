import { describe, expect, it } from '@jest/globals'
import {
  describeBug,
  describeProblem,
  maxMessageLength,
  nothingStarted,
} from '../../../src/messages/annotation.ts'
import type { RunReport } from '../../../src/execution/report.ts'
import { describeFailure } from '../../../src/messages/failure-annotation.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import {
  annotationOf,
  collected,
  noFiles,
  raisedError,
  reportOf,
  target,
} from '../../support/run-report.ts'

const id = '3fa85f64-5717'
const kept = { kind: 'file', size: 1, mediaType: 'text/plain' } as const
const secrets = new Secrets(() => undefined)
secrets.add('s3cr3t-value')
const { show } = secrets
const filesWithLog = (path: string) => ({ ...noFiles, log: { ...kept, path } })

/** Returns the report of a failed run that has this text in all foreign texts. */
function everywhere(text: string): RunReport {
  const cause = { text, frame: { file: text, line: 1 } }
  const ended = { executionId: text, outcome: 'error', cause, files: filesWithLog(text) } as const
  return reportOf(collected(ended), { target: { ...target, automation: text } })
}

describe('the annotation of a failed run', () => {
  it('names the execution, and says how long it was watched, if the step only waits', () => {
    const end = collected({ executionId: id, outcome: 'stopped' })
    const { title, message } = annotationOf(
      { ...raisedError, title: 'stopped' },
      reportOf(end, { target: undefined, watched: 'a-part' }),
    )

    expect(title).toBe(`Execution ${id} was stopped`)
    expect(message).toContain(`\nThis step watched it for 2 min 10 s (execution ${id}).\n`)
  })

  it('does not say how long the execution was watched after a single check', () => {
    const end = collected({ executionId: id, outcome: 'stopped' })
    const report = reportOf(end, { target: undefined, watched: 'one-check' })
    const { message } = annotationOf({ ...raisedError, title: 'stopped' }, report)

    expect(message).toContain(`\nThis is execution ${id}.\n`)
    expect(message).not.toMatch(/watched|ran for/)
  })

  it('names the log on the runner if there is no artifact', () => {
    const end = collected({ outcome: 'error', files: filesWithLog('/tmp/run.log') })

    expect(annotationOf(raisedError, reportOf(end)).message).toContain(
      '\nLog: on the runner, /tmp/run.log\n',
    )
  })

  it('does not give the cause of the run as the reason of a cancellation', () => {
    const cause = { text: 'ValueError: no rows' }
    const end = collected({ outcome: 'error', cause, isCut: true })
    const { message } = annotationOf({ ...raisedError, title: 'cancelled' }, reportOf(end))

    expect(message).not.toContain('ValueError')
  })

  it('keeps the hint and the limit of 4096 characters, however long the rest is', () => {
    const long = 'x'.repeat(100_000)
    const { title, message } = annotationOf(raisedError, everywhere(long), `https://${long}`)

    expect(title.length).toBeLessThanOrEqual(200)
    expect(message.length).toBeLessThanOrEqual(maxMessageLength)
    expect(message).toMatch(/\nNext: Fix the automation, then re-run this job\.$/)
  })

  it('has one line per fact, whatever line breaks and commands foreign texts contain', () => {
    const { message } = annotationOf(raisedError, everywhere('a\r\n::error::b\u001b[31m##[error]c'))

    expect(message.split('\n')).toHaveLength(5)
    expect(message).not.toMatch(/^::|##\[|\p{Cc}(?<!\n)/mu)
  })
})

describe('a secret in the annotation of a failed run', () => {
  it('is hidden in all foreign texts', () => {
    const text = 'a s3cr3t-value'
    const annotations = [
      describeFailure(raisedError, everywhere(text), text, show),
      describeFailure(raisedError, everywhere(text), undefined, show),
    ]

    expect(JSON.stringify(annotations)).not.toContain('s3cr3t')
  })

  it.each([100, 200, 500, 1_200])('is not shown in part after a cut at %i', (limit) => {
    for (let before = limit - 12; before < limit; before++) {
      const text = `${'x'.repeat(before)}s3cr3t-value${'y'.repeat(limit)}`
      const { title, message } = describeFailure(raisedError, everywhere(text), undefined, show)
      expect(title + message).not.toContain('xs')
    }
  })
})

describe('the annotation of any other end', () => {
  it('may have a cut message, but never a cut hint', () => {
    const { message } = describeProblem(
      {
        title: 'x',
        entry: 'invalid-input',
        message: Array(100).fill('y'.repeat(100)).join('\n'),
        hint: 'Do this.',
      },
      (text) => text,
    )

    expect(message).toHaveLength(maxMessageLength)
    expect(message).toMatch(/y…\nNext: Do this\.$/)
  })

  it.each([100, 200, maxMessageLength / 2, maxMessageLength - 16])(
    'never has a part of a secret after a cut at %i',
    (limit) => {
      for (let before = limit - 12; before < limit; before++) {
        const text = `${'x'.repeat(before)}s3cr3t-value${'y'.repeat(limit)}`
        const problem = { title: text, entry: 'invalid-input', message: text, hint: text } as const
        const { title, message } = describeProblem(problem, show)
        expect(title + message).not.toContain('xs')
      }
      expect(describeProblem(describeBug('s3cr3t-value'), show).message).not.toContain('s3cr3t')
    },
  )
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
