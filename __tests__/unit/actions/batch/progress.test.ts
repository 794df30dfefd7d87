import { describe, expect, it } from '@jest/globals'
import type { CollectedFiles } from '../../../../src/download/collect.ts'
import { reportBatchProgress } from '../../../../src/actions/batch/progress.ts'
import { httpError } from '../../../support/failures.ts'
import { runRecord } from '../../../support/batch-records.ts'
import { reportOf } from '../../../support/execution-report.ts'
import { recordedStep } from '../recorded-step.ts'

it('an execution that is gone leads to a warning with its id, an annotation only for the first run', () => {
  const { step, printed, warnings } = recordedStep()
  using listener = reportBatchProgress(0, step)
  for (const index of [0, 1]) {
    const seed = { index, text: '{}', label: undefined, key: 'k', occurrence: index }
    listener.onStartedAnew(seed, { executionId: `gone-${index + 1}`, conclusion: undefined })
  }

  const words = (run: number) =>
    expect.stringContaining(`Run ${run}: for 30 s the service did not know execution gone-${run}`)
  expect(warnings).toEqual([words(1)])
  expect(printed).toEqual([words(2)])
})

it('the first failed check of an outage is a line of the log, the others are debug lines', () => {
  const { step, printed, debugged } = recordedStep()
  using listener = reportBatchProgress(0, step)
  const seed = { index: 0, text: '{}', label: undefined, key: 'k', occurrence: 0 }
  listener.onFailedCheck(seed, httpError(503), 5_000, true)
  listener.onFailedCheck({ ...seed, index: 1 }, httpError(503), undefined, false)
  listener.onFailedCheck(seed, httpError(503), 0, true)

  const words = 'A check got no proper answer (the service answered 503)'
  expect(printed).toEqual([
    `Run 1: ${words}; checking again in 5 s`,
    `Run 1: ${words}; checking again at once`,
  ])
  expect(debugged).toEqual([`Run 2: ${words}`])
})

describe('a missing file of a run', () => {
  const kept = { kind: 'file', path: '/runs/f', size: 1, mediaType: 'text/plain' } as const
  const lost = { kind: 'unavailable', why: 'gone' } as const

  it.each<[string, Partial<CollectedFiles>, string[]]>([
    ['a lost log', { log: lost }, ['The log of Run 1 could not be fetched: gone']],
    // The lost result fails the step, and the annotation of the step reports it.
    ['a lost result of a success', { result: lost }, []],
  ])(
    'has a warning unless it fails the step, beside the line of the run’s end: %s',
    async (_, missing, words) => {
      const { step, printed, warnings } = recordedStep()
      using listener = reportBatchProgress(0, step)
      const files = { folder: '/runs', result: kept, log: kept, ...missing }
      const seed = { index: 0, text: '{}', label: undefined, key: 'k', occurrence: 0 }
      await listener.onEnded(seed, runRecord(), reportOf({ files, conclusion: 'success' }))

      expect(printed[0]).toMatch(/^Run 1 succeeded/)
      expect([printed.length, warnings.length]).toEqual([1, words.length])
      for (const [at, start] of words.entries()) expect(warnings[at]).toContain(start)
    },
  )
})
