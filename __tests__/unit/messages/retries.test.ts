import { describe, expect, it } from '@jest/globals'
import type { ExecutionAttempt } from '../../../src/execution/execution-report.ts'
import { causeWords, describeNotRetried, describeRetry } from '../../../src/messages/retries.ts'
import { linksTo } from '../../../src/messages/run-link.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { renderAttempts } from '../../../src/messages/summary/render.ts'
import { Page } from '../../../src/messages/summary/html.ts'
import { problemsOf } from './summary/summary-problems.ts'

const secrets = new Secrets(() => undefined)
secrets.add('hunter2-token')
const show = (text: string) => secrets.show(text)

function attempt(given: Partial<ExecutionAttempt> = {}): ExecutionAttempt {
  return {
    executionId: 'e-1',
    conclusion: 'container-error',
    cause: undefined,
    startedOn: new Date('2026-11-20T10:00:00Z'),
    finishedOn: new Date('2026-11-20T10:01:30Z'),
    ...given,
  }
}
const first = attempt()

describe('the line of a retry', () => {
  const span = { pause: 1_500, next: 2, max: 4 }

  it('says which execution ended how and why, and when the next one starts', () => {
    const cause = { text: 'MemoryError: no more', frame: { file: 'a.py', line: 3 } }
    expect(describeRetry({ attempts: [attempt({ cause })] }, span, show)).toBe(
      'Execution 1 (e-1) ended with container-error (MemoryError: no more (a.py, line 3)). Execution 2 (of at most 4) starts in 1.5 s.',
    )
    // The log contains no cause.
    expect(describeRetry({ attempts: [first] }, span, show)).toBe(
      'Execution 1 (e-1) ended with container-error. Execution 2 (of at most 4) starts in 1.5 s.',
    )
  })
})

it.each([
  ['no time was left (the input timeout)', 'no time was left (the input timeout).'],
  ['the service answered 403: hunter2-token is over.', 'the service answered 403: *** is over.'],
])('says why the next execution was not started: %s', (notRetried, words) => {
  expect(describeNotRetried({ attempts: [first], notRetried }, show)).toBe(
    `Execution 2 was not started: ${words}`,
  )
  expect(describeNotRetried({ attempts: [first] }, show)).toBeUndefined()
})

it('the last line of a log is marked as such', () => {
  expect(causeWords({ text: 'loading', isLastLine: true }, show)).toBe(
    'last line of its log: loading',
  )
})

describe('the table of executions', () => {
  const page = new Page(show)
  const noLinks = linksTo(undefined)

  it('is left out for one execution, but not for one before an unknown start', () => {
    expect(renderAttempts({ attempts: [first], executionId: 'e-1' }, noLinks, page)).toEqual([])
    expect(
      renderAttempts({ attempts: [first], executionId: undefined }, noLinks, page),
    ).toHaveLength(1)
    expect(renderAttempts({ attempts: [], executionId: undefined }, noLinks, page)).toEqual([])
  })

  it('stays a table, whatever ids and logs contain', () => {
    const hostile = '</td>\n\n```<script>@you $x$ "\u001b[1m'
    const attempts = [first, attempt({ executionId: hostile, cause: { text: hostile } })]
    const [table = ''] = renderAttempts({ attempts, executionId: 'e-1' }, noLinks, page)
    expect(problemsOf(`${table}\n\n`)).toEqual([])
  })
})
