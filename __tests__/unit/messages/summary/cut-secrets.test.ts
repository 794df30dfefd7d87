import { expect, it } from '@jest/globals'
import type { FailureKind } from '../../../../src/messages/failure.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { summaryOf, type SummaryFacts } from '../../../support/execution-report.ts'

const secrets = new Secrets(() => undefined)
secrets.add('s3cr3t-value')

const summaryWith = (facts: SummaryFacts) =>
  summaryOf(facts, (text, isCut) => secrets.show(text, isCut))

const words = (text: string): FailureKind[] => [
  { kind: 'error' },
  { kind: 'not-found', words: text },
  { kind: 'unknown-start', why: text },
  { kind: 'timed-out', timeout: 1_000, checks: 1, failedChecks: 1, lastFailure: text },
]

// The limits of names, addresses, words of others and causes.
it.each([100, 200, 500, 1_000, 1_200])(
  'a secret is not left in part where the summary cuts a text at %i characters',
  (limit) => {
    for (let before = limit - 12; before < limit; before++) {
      const text = `${'x'.repeat(before)}s3cr3t-value${'y'.repeat(limit)}`
      const facts = { conclusion: 'error', automation: text, executionId: text } as const
      for (const failure of words(text)) {
        for (const cause of [{ text }, { text: 'ValueError', file: text }]) {
          expect(summaryWith({ ...facts, failure, cause, log: text })).not.toContain('xs')
        }
      }
    }
  },
)
