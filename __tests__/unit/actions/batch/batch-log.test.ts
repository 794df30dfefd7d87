/** Tests which lines and warnings the events of a batch lead to. */
import { describe, expect, it } from '@jest/globals'
import type { CollectedFiles } from '../../../../src/download/collect.ts'
import { BatchLog } from '../../../../src/actions/batch/batch-log.ts'
import {
  afterAnswer,
  afterFailure,
  nothingSeen,
  type Seen,
} from '../../../../src/execution/seen.ts'
import { running } from '../../../support/execution-status.ts'
import { httpError } from '../../../support/failures.ts'
import { batchRow } from '../../../support/batch-rows.ts'
import { collected, noFiles, reportOf } from '../../../support/run-report.ts'
import { recordedStep } from '../recorded-step.ts'

const seedOf = (index: number) => {
  return { number: index + 1, text: '{}', label: undefined, key: 'k', occurrence: index }
}

it('an execution that is gone leads to a warning with its id, an annotation only for the first run', () => {
  const { step, printed, warnings } = recordedStep()
  const log = new BatchLog(step)
  for (const index of [0, 1]) {
    const earlier = { executionId: `gone-${index + 1}`, outcome: undefined }
    log.write({ kind: 'replaced', seed: seedOf(index), earlier })
  }

  const words = (run: number) =>
    expect.stringContaining(`Run ${run}: for 30 s the service did not know execution gone-${run}`)
  expect(warnings).toEqual([words(1)])
  expect(printed).toEqual([words(2)])
})

describe('a failed check', () => {
  const failedOnce = afterFailure(nothingSeen, httpError(503), 0)
  const failedTwice = afterFailure(failedOnce, httpError(503), 0)
  const answered = afterAnswer(failedTwice, running, 0)

  /** Returns the lines and the debug lines after these checks: number of the run, and result. */
  function logChecks(checks: [number, Seen, pause?: number][]) {
    const { step, printed, debugged } = recordedStep()
    const log = new BatchLog(step)
    for (const [run, seen, pause] of checks) {
      log.write({ kind: 'run', seed: seedOf(run - 1), event: { kind: 'checked', seen, pause } })
    }
    return { printed, debugged }
  }

  const words = 'A check got no proper answer (the service answered 503)'

  it('is a line of the log if it is the first one of an outage, which affects all runs', () => {
    const { printed, debugged } = logChecks([
      [1, failedOnce, 5_000],
      [2, failedOnce],
      [1, answered],
      [1, failedOnce, 0],
    ])

    expect(printed).toEqual([
      `Run 1: ${words}; checking again in 5 s`,
      `Run 1: ${words}; checking again at once`,
    ])
    expect(debugged).toEqual([`Run 2: ${words}`])
  })

  it('of a run that fails alone is a line only once, although other runs get proper answers', () => {
    const { printed, debugged } = logChecks([
      [1, failedOnce],
      [2, answered],
      [1, failedTwice],
    ])

    expect([printed, debugged]).toEqual([[`Run 1: ${words}`], [`Run 1: ${words}`]])
  })
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
    (_, missing, words) => {
      const { step, printed, warnings } = recordedStep()
      const log = new BatchLog(step)
      const report = reportOf(
        collected({ files: { ...noFiles, result: kept, log: kept, ...missing } }),
      )
      log.write({ kind: 'done', seed: seedOf(0), row: batchRow(), report })

      expect(printed[0]).toMatch(/^Run 1 succeeded/)
      expect([printed.length, warnings.length]).toEqual([1, words.length])
      for (const [at, start] of words.entries()) expect(warnings[at]).toContain(start)
    },
  )
})
