import { describe, expect, it } from '@jest/globals'
import { noteText } from '../../../src/messages/catalogue.ts'
import {
  describeBatchRerun,
  describeRerun,
  type EarlierFacts,
  type EarlierRuns,
  type RerunLine,
} from '../../../src/messages/rerun.ts'

const none: EarlierRuns = {
  kind: 'found',
  attempt: 1,
  isReported: false,
  succeeded: 0,
  open: 0,
  startedAnew: 0,
  unclear: 0,
  total: 50,
  isClosed: true,
  isChecked: false,
}

const textOf = (said: RerunLine) =>
  typeof said === 'string' ? said : noteText(said.name, said.values)
const why = 'the service answered 502'

describe('what an earlier attempt left of one run', () => {
  it.each<[Partial<EarlierFacts>, string]>([
    [{ state: 'no-record' }, 'Attempt 1: no earlier attempt of this job left a record of'],
    [{ state: 'start-unknown' }, 'Attempt 1 of this job may or may not have started a run: its'],
    [{ state: 'not-found' }, 'For 30 s the service did not know execution e-1, which attempt 1 of'],
    [
      { state: 'unavailable', action: 'follow', why },
      'Execution e-1, which attempt 1 started, may still be running, as far as is known (the service answered 502): waiting for it; nothing new is started',
    ],
    [
      { state: 'unavailable', action: 'hand-over', why },
      'Execution e-1, which attempt 1 of this job started, may still be running: its state could not be learned in 32 s (the service answered 502). Its id is handed over',
    ],
    [
      { state: 'running', action: 'hand-over' },
      'Execution e-1, which attempt 1 started, is still running: handing its id over; nothing new is started',
    ],
    [
      { state: 'reusable', action: 'hand-over', conclusion: 'success' },
      'Execution e-1, which attempt 1 started, ended with success: handing its id over; nothing new is started (on-rerun: reuse)',
    ],
    [
      { state: 'reusable', action: 'follow', conclusion: 'success', isChecked: true },
      'Execution e-1, which attempt 1 started, ended with success: handing on what it left where that matches result-schema, else starting a new run (on-rerun: reuse)',
    ],
    [
      { state: 'refused', action: 'fail', why },
      'Execution e-1, which attempt 1 started, cannot be checked (the service answered 502): nothing is started',
    ],
  ])('%j', (facts, words) => {
    const found = {
      action: 'start',
      attempt: 1,
      executionId: 'e-1',
      conclusion: '',
      why: '',
      isChecked: false,
    } as const
    const line = textOf(describeRerun({ state: 'no-record', ...found, ...facts }))
    expect(line.slice(0, words.length)).toBe(words)
  })
})

const describeFound = (more: Partial<EarlierRuns>) =>
  describeBatchRerun({ ...none, ...more }, 2).map(textOf)

describe('what an earlier attempt left of a batch', () => {
  it('is counted by what is done about it', () => {
    const runs = { succeeded: 30, open: 12, unclear: 1 }
    expect(describeFound(runs)).toEqual([
      'Attempt 1 left a record of this step; of its 50 runs 30 succeeded and are kept, 12 may still be running and are taken over, 8 are started',
      'Attempt 1 of this job may or may not have started 1 run: there was no clear answer. Starting them again; those that were started then run twice.',
    ])
  })

  it('is kept by the schema of today', () => {
    expect(describeFound({ succeeded: 50, isChecked: true })).toEqual([
      'Attempt 1 left a record of this step; of its 50 runs 50 succeeded and are kept where their results match result-schema',
    ])
  })

  it('has an upper bound of what runs twice, where that attempt died', () => {
    const [, , warning] = describeFound({ succeeded: 40, open: 3, unclear: 1, isClosed: false })
    expect(warning).toMatch(/^Up to 6 of 50 runs may have been started before, and now run twice/)
  })

  it('has what may have been started anew in that bound', () => {
    const [, warning] = describeFound({ succeeded: 48, open: 2, startedAnew: 2, isClosed: false })
    expect(warning).toMatch(/^Up to 2 of 50 runs may have been started before/)
  })

  it('names what goes on beside what was reported', () => {
    expect(describeFound({ open: 2, isReported: true })).toEqual([
      'Attempt 1 left a record of this step; of its 50 runs 2 may still be running and are taken over, 48 are started',
    ])
    expect(describeFound({ unclear: 1, isReported: true })).toHaveLength(2)
  })

  it('is nothing to go on where all succeeded and that was reported', () => {
    expect(describeFound({ isReported: true })).toEqual([
      'Attempt 1 reported that all runs succeeded; starting new ones',
    ])
  })
})
