/** A label that is misspelt names no run, which is easy to miss. */
import { describe, expect, it } from '@jest/globals'
import { runBatchStep } from '../../../support/batch-step.ts'

const success = { ends: 'success' } as const

describe('a label', () => {
  it('that no seed has is told once, as it was given', async () => {
    const { passed, notices } = await runBatchStep([success, success], {
      inputs: { label: '/city/nmae' },
    })

    expect(passed).toBe(true)
    expect(notices).toEqual([
      expect.stringMatching(/^label: no seed has "\/city\/nmae" as a text or number, so the runs/),
    ])
  })
})
