import { expect, it } from '@jest/globals'
import { causeOf } from '../../../../src/execution/batch/record.ts'
import { wholeProblem } from '../../../../src/execution/result-problems.ts'
import { reportOf } from '../../../support/execution-report.ts'

const log = { kind: 'not-kept' } as const
const files = { folder: '/runs/1', result: { kind: 'unavailable', why: 'gone' } as const, log }
const words = { showWords: (text: string) => text, showProblems: () => 'no list' }

it('a lost result is what is missing of a success, and no cause of a failure', () => {
  const ended = { files, cause: undefined }

  expect(causeOf(reportOf({ ...ended, conclusion: 'success' }), words)).toBe(
    'the result could not be fetched: gone',
  )
  expect(causeOf(reportOf({ ...ended, conclusion: 'error' }), words)).toBeUndefined()
})

it('the last line of a log that names no error is told as what it is', () => {
  const cause = { text: 'done', isLastLine: true } as const

  expect(causeOf(reportOf({ cause, conclusion: 'error' }), words)).toBe(
    'last line of its log: done',
  )
})

it('the first problem of an invalid result is its cause', () => {
  const report = reportOf({ conclusion: 'invalid-result', resultProblems: wholeProblem('no list') })

  expect(causeOf(report, words)).toBe('no list')
})
