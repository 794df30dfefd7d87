import { expect, it } from '@jest/globals'
import type { Beginning, EarlierRun, Purpose, Standing } from '../../../src/execution/begin.ts'
import { afterAnswer, nothingSeen } from '../../../src/execution/seen.ts'
import { noteText } from '../../../src/messages/catalogue.ts'
import {
  describeBatchRerun,
  describeRerun,
  type EarlierBatch,
  type RerunLine,
} from '../../../src/messages/describe-rerun.ts'
import { finished, running } from '../../support/execution-status.ts'

const none: EarlierBatch = {
  kind: 'found',
  savedBy: 1,
  isReported: false,
  succeeded: 0,
  open: 0,
  unclear: 0,
  total: 50,
  leftIds: [],
  isFinal: true,
}

const textOf = (said: RerunLine) =>
  typeof said === 'string' ? said : noteText(said.name, said.values)
const recorded: EarlierRun = {
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
const lines: [EarlierRun, Beginning, Purpose][] = [
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

it.each<[Partial<EarlierBatch>, RegExp[]]>([
  [
    { succeeded: 30, open: 12, unclear: 1 },
    [
      /50 runs: 30 succeeded \(kept\), 12 may still be running \(taken over\), 8 to start$/,
      /^Attempt 1 of this job may or may not have started 1 run: .* Some seeds may run twice\.$/,
    ],
  ],
  [{ open: 3, isFinal: false }, [/47 to start$/, /^Some runs may have been started before/]],
  // A run may be open beside reported runs, because its seed is new in the list.
  [{ open: 2, isReported: true }, [/2 may still be running/]],
  [{ unclear: 1, isReported: true }, [/50 to start$/, /started 1 run:/]],
  [{ leftIds: ['e-1', 'e-2'] }, [/50 to start$/, /2 runs whose seeds are not .*: e-1, e-2$/]],
])('the lines about the earlier runs of a batch: %j', (more, lines) => {
  const texts = describeBatchRerun({ ...none, ...more }, 2).map(textOf)
  expect(texts).toEqual(lines.map((line) => expect.stringMatching(line) as unknown))
})
