import { expect, it } from '@jest/globals'
import { describeProblem } from '../../../src/messages/annotation.ts'
import { CutShort } from '../../../src/messages/cut-short.ts'

it('a step of thousands of runs names the newest ones, and the advice is complete', () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => `execution-of-this-batch-${index + 1}`)
  const { message } = describeProblem(new CutShort(true, ids))
  const [, newest, ...lines] = message.split('\n')
  expect([newest, lines.at(-1)]).toEqual([
    'execution-of-this-batch-5000',
    expect.stringMatching(/^Next: .* execution-id execution-of-this-batch-5000\.$/),
  ])
  expect(lines.at(-2)).toBe(`and ${5_000 - lines.length + 1} more: see the log of this step`)
})
