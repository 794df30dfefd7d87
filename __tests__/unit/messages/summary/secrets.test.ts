import { expect, it } from '@jest/globals'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { raisedError, summaryOf, type SummaryFacts } from '../../../support/execution-report.ts'

const secrets = new Secrets(() => undefined)
secrets.add('s3cr3t-value')

const summaryWith = (facts: SummaryFacts) => summaryOf(facts, secrets.show)

// The limits of names, addresses, words of others and causes.
it.each([100, 200, 500, 1_000, 1_200])(
  'a secret is not left in part where the summary cuts a text at %i characters',
  (limit) => {
    for (let before = limit - 12; before < limit; before++) {
      const text = `${'x'.repeat(before)}s3cr3t-value${'y'.repeat(limit)}`
      const facts = { conclusion: 'error', automation: text, executionId: text } as const
      for (const cause of [{ text }, { text: 'ValueError', file: text }]) {
        const failed = { ...facts, failure: raisedError, cause, log: text }
        expect(summaryWith(failed)).not.toContain('xs')
      }
    }
  },
)

it.each([
  ['a number of a chart', '[{"a":"x","b":918273},{"a":"y","b":2},{"a":"z","b":3}]'],
  ['a number of a list', '[918273,2,3]'],
  ['a number of a table', '[{"a":918273,"b":"x"}]'],
  ['a number deep within', '{"a":[[{"b":[918273]}]]}'],
  ['a label of a chart', '[{"a":"918273","b":1},{"a":"y","b":2},{"a":"z","b":3}]'],
])('a secret is not shown where it is %s', (_, text) => {
  const result = { name: 'result.json', mediaType: 'application/json', size: 9, complete: true }
  const numbers = new Secrets(() => undefined)
  numbers.add('918273')
  const shown = (hidden: Secrets) =>
    summaryOf({ conclusion: 'success', result: { ...result, text } }, hidden.show)

  expect(shown(new Secrets(() => undefined))).toContain('918273')
  expect(shown(numbers)).not.toContain('918273')
})
