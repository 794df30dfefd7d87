import { describe, expect, it } from '@jest/globals'
import {
  type BatchRecall,
  type BatchRerunLine,
  describeBatchRerun,
} from '../../../../src/messages/batch/rerun.ts'
import { noteText } from '../../../../src/messages/catalogue.ts'

const found: BatchRecall = {
  kind: 'found',
  attempt: 1,
  isClosed: true,
  total: 10,
  succeeded: 5,
  running: 2,
  failed: 1,
  unclear: 0,
  others: 2,
}

/** As people read it. */
const told = (recall: BatchRecall) => describeBatchRerun(recall, 2).map(textOf)
const textOf = (line: BatchRerunLine) =>
  line.kind === 'line' ? line.text : `warning: ${noteText(line.name, line.values)}`

describe('a batch in a job that runs again', () => {
  it('says nothing where nobody asked', () => {
    expect(told({ kind: 'not-asked' })).toEqual([])
  })

  it.each<[BatchRecall, string]>([
    [
      { kind: 'nothing' },
      'Attempt 2: no earlier attempt of this job left a record of this step; starting',
    ],
    [
      { kind: 'unreadable', why: 'it hangs' },
      'warning: What an earlier attempt of this job started could not be read: it hangs. Starting a new run; an earlier one may still be going on.',
    ],
    [
      { kind: 'complete', attempt: 1 },
      'All runs succeeded, which attempt 1 told: starting new ones',
    ],
    [
      found,
      'Attempt 1 left a record of this step; of its 10 runs 5 succeeded and are kept, 2 may still be running and are taken over, 3 are started',
    ],
    [
      { ...found, succeeded: 10, running: 0, failed: 0, others: 0, isClosed: false },
      'Attempt 1 left a record of this step; of its 10 runs 10 succeeded and are kept',
    ],
    [
      { ...found, succeeded: 1, running: 1, failed: 1, others: 0, total: 3 },
      'Attempt 1 left a record of this step; of its 3 runs 1 succeeded and is kept, 1 may still be running and is taken over, 1 is started',
    ],
    [
      { ...found, succeeded: 0, running: 0, failed: 1, others: 0, total: 1 },
      'Attempt 1 left a record of this step; of its 1 run 1 is started',
    ],
  ])('says in one line what was left and what is done (%#)', (recall, text) => {
    expect(told(recall)).toEqual([text])
  })

  it('warns of starts that got no clear answer', () => {
    expect(told({ ...found, unclear: 1, others: 1 })).toEqual([
      expect.stringContaining('3 are started'),
      'warning: Attempt 1 of this job may or may not have started 1 run: there was no clear answer. Starting them again; those that were started then run twice.',
    ])
  })

  it('speaks of a single run as of one, and of several as of several', () => {
    const one = { ...found, unclear: 1, others: 1, total: 1, isClosed: false }
    const several = { ...found, unclear: 2, others: 3, isClosed: false }

    expect(told(one).slice(1)).toEqual([
      expect.stringContaining('have started 1 run: '),
      expect.stringContaining('Up to 1 of 1 run may have been started before'),
    ])
    expect(told(several).slice(1)).toEqual([
      expect.stringContaining('have started 2 runs: '),
      expect.stringContaining('Up to 3 of 10 runs may have been started before'),
    ])
  })

  it('warns of the most that an attempt may have started that died without a word', () => {
    expect(told({ ...found, isClosed: false })).toEqual([
      expect.stringContaining('3 are started'),
      expect.stringContaining('warning: Up to 2 of 10 runs may have been started before'),
    ])
  })
})
