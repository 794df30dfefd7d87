import { describe, expect, it } from '@jest/globals'
import type { End, Execution } from '../../../src/execution/report.ts'
import {
  causeSentence,
  causeWords,
  describeNotRetried,
  describeRetry,
} from '../../../src/messages/retries.ts'
import { linksTo } from '../../../src/messages/run-link.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { renderAttempts } from '../../../src/messages/summary/render.ts'
import { Page } from '../../../src/messages/summary/html.ts'
import { collected, executionOf, reportOf } from '../../support/run-report.ts'
import { problemsOf } from './summary/summary-problems.ts'

const secrets = new Secrets(() => undefined)
secrets.add('hunter2-token')
const show = (text: string) => secrets.show(text)

const first = executionOf()

describe('the line of a retry', () => {
  const span = { pause: 1_500, max: 4 }

  it('says which execution ended how and why, and when the next one starts', () => {
    const cause = { text: 'MemoryError: no more', frame: { file: 'a.py', line: 3 } }
    expect(describeRetry({ executions: [executionOf({ cause })] }, span)).toBe(
      'Execution 1 (e-1) ended with container-error (MemoryError: no more (a.py, line 3)). Execution 2 (of at most 4) starts in 1.5 s.',
    )
    // The log contains no cause.
    expect(describeRetry({ executions: [first] }, span)).toBe(
      'Execution 1 (e-1) ended with container-error. Execution 2 (of at most 4) starts in 1.5 s.',
    )
  })
})

it.each([
  ['no time was left (the input timeout)', 'no time was left (the input timeout).'],
  ['the service answered 403: it is over.', 'the service answered 403: it is over.'],
])('says why the next execution was not started: %s', (notRetried, words) => {
  expect(describeNotRetried({ executions: [first], notRetried })).toBe(
    `Execution 2 was not started: ${words}`,
  )
  expect(describeNotRetried({ executions: [first] })).toBeUndefined()
})

it('the last line of a log is marked as such', () => {
  const cause = { text: 'loading', isLastLine: true } as const
  expect(causeWords(cause, show)).toBe('its log ends with: loading')
  expect(causeSentence(cause, 'It died.', show)).toBe('It died. Its log ends with: loading')
})

it('a cause is redacted before it is cut to 1000 characters', () => {
  const cause = { text: `${'x'.repeat(990)}hunter2-token${'y'.repeat(20)}` }
  expect(causeWords(cause, show)).toBe(`${'x'.repeat(990)}***${'y'.repeat(6)}…`)
})

describe('the table of executions', () => {
  const page = new Page(show)
  const noLinks = linksTo(undefined)

  it('is left out for one execution, but not for one before an unknown start', () => {
    const unclear = { kind: 'unclear', failure: new Error('cut'), byCancel: false } as const
    const tables = (end: End, executions: Execution[]) =>
      renderAttempts(reportOf(end, { executions }), noLinks, page)

    expect(tables(collected({ executionId: 'e-1' }), [first])).toEqual([])
    expect(tables(unclear, [first])).toHaveLength(1)
    expect(tables(unclear, [])).toEqual([])
  })

  it('stays a table, whatever ids and logs contain', () => {
    const hostile = '</td>\n\n```<script>@you $x$ "\u001b[1m'
    const executions = [first, executionOf({ executionId: hostile, cause: { text: hostile } })]
    const end = collected({ executionId: 'e-1' })
    const [table = ''] = renderAttempts({ executions, end }, noLinks, page)
    expect(problemsOf(`${table}\n\n`)).toEqual([])
  })
})
