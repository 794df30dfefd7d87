/** A label that is misspelt names no run, which is easy to miss. */
import { describe, expect, it } from '@jest/globals'
import { runBatchStep } from '../../../support/batch-step.ts'

const success = { ends: 'success' } as const

describe('a label', () => {
  const unfound = 'the runs are named by their number alone'

  it('that no seed has is told once, as it was given', async () => {
    const { passed, notices } = await runBatchStep([success, success], {
      inputs: { label: '/city/nmae' },
    })

    expect(passed).toBe(true)
    expect(notices).toEqual([
      expect.stringMatching(/^label: no seed has "\/city\/nmae" as a text or number, so the runs/),
    ])
  })

  it.each([
    ['that one seed has', { label: 'takes' }],
    ['that another shard has', { label: 'takes', shard: '1/2' }],
    ['that is not given', {}],
    ['of an empty list', { label: 'city', seeds: '[]' }],
  ])('%s is no cause for that notice', async (_, inputs: Record<string, string>) => {
    const { notices } = await runBatchStep([{ ...success, takes: 1_000 }, success], { inputs })

    expect(notices.filter((text) => text.includes(unfound))).toEqual([])
  })
})
