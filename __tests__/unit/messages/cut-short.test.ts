import { expect, it } from '@jest/globals'
import { CutShort } from '../../../src/messages/cut-short.ts'

it('a step of many runs names the newest one, and counts the others', () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => `e-${index + 1}`)
  const { why, advice } = new CutShort(true, ids).notice
  expect(why[0]).toMatch(
    /Its newest execution is e-5000\. The log of this step has 4,?999 other ids\.$/,
  )
  expect(advice[0]).toMatch(/^Next: .* execution-id e-5000\.$/)
})
