import { describe, expect, it } from '@jest/globals'
import type { Beginning, Purpose, Recorded, Standing } from '../../../src/execution/begin.ts'
import { afterAnswer, nothingSeen } from '../../../src/execution/seen.ts'
import { noteText } from '../../../src/messages/catalogue.ts'
import {
  describeBatchRerun,
  describeRerun,
  type EarlierRuns,
  type RerunLine,
} from '../../../src/messages/describe-rerun.ts'
import { finished, running } from '../../support/execution-status.ts'

const none: EarlierRuns = {
  kind: 'found',
  attempt: 1,
  isReported: false,
  succeeded: 0,
  open: 0,
  unclear: 0,
  total: 50,
  leftIds: [],
  isClosed: true,
}

const textOf = (said: RerunLine) =>
  typeof said === 'string' ? said : noteText(said.name, said.values)
const recorded: Recorded = {
  kind: 'known',
  attempt: 1,
  executionId: 'e-1',
  outcome: undefined,
  isEndReported: false,
}
const starts = (because: Standing): Beginning => ({
  kind: 'start',
  because,
  seen: nothingSeen,
  replaced: undefined,
})
const takesOver = (because: Standing): Beginning => {
  const seen = afterAnswer(nothingSeen, because === 'running' ? running : finished, 0)
  return { kind: 'take-over', because, executionId: 'e-1', seen, since: { at: 0, on: new Date(0) } }
}

/** What was recorded, how the run begins, and whether the step waits for it. */
const lines: [Recorded, Beginning, Purpose][] = [
  [{ kind: 'none' }, starts('none'), 'follow'],
  [{ kind: 'unclear', attempt: 1 }, starts('unclear'), 'follow'],
  [recorded, starts('gone'), 'follow'],
  [recorded, takesOver('unreachable'), 'follow'],
  [recorded, takesOver('unreachable'), 'output-id'],
  [recorded, takesOver('running'), 'output-id'],
  [recorded, takesOver('reusable'), 'output-id'],
  [recorded, takesOver('reusable'), 'follow'],
  [recorded, takesOver('no-access'), 'follow'],
]

it('each standing of an earlier run has one line, which names what the step does', () => {
  const facts = { ownAttempt: 1, why: 'the service answered 502' }
  const texts = lines.map(([run, beginning, purpose]) =>
    textOf(describeRerun(run, beginning, purpose, facts)),
  )
  expect(texts.join('\n')).toMatchSnapshot()
})

const describeFound = (more: Partial<EarlierRuns>) =>
  describeBatchRerun({ ...none, ...more }, 2).map(textOf)

describe('the lines about the earlier runs of a batch', () => {
  it('count the runs by what the step does with them', () => {
    const runs = { succeeded: 30, open: 12, unclear: 1 }
    expect(describeFound(runs)).toEqual([
      'Attempt 1 saved a record of this step. This attempt has 50 runs: 30 succeeded (kept), 12 may still be running (taken over), 8 to start',
      'Attempt 1 of this job may or may not have started 1 run: the service gave no clear answer. This step starts new runs of the same seeds. Some seeds may run twice.',
    ])
  })

  it('warn that seeds may run twice, if that attempt died', () => {
    const [, warning] = describeFound({ succeeded: 40, open: 3, isClosed: false })
    expect(warning).toMatch(/^Some runs may have been started before, and may run twice now/)
  })

  it('name runs that may still be running beside reported ones', () => {
    expect(describeFound({ open: 2, isReported: true })).toEqual([
      'Attempt 1 saved a record of this step. This attempt has 50 runs: 2 may still be running (taken over), 48 to start',
    ])
    expect(describeFound({ unclear: 1, isReported: true })).toHaveLength(2)
  })

  it('name the open runs whose seeds left the list', () => {
    const [, line] = describeFound({ succeeded: 40, leftIds: ['e-1', 'e-2'] })
    expect(line).toMatch(/2 runs whose seeds are not in the list .* still be running: e-1, e-2$/)
  })

  it('say that new runs are started, if all successes were reported', () => {
    expect(describeFound({ isReported: true })).toEqual([
      'Attempt 1 reported that all runs succeeded. This step starts new runs.',
    ])
  })
})
