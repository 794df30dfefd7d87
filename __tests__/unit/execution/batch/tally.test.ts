import { describe, expect, it } from '@jest/globals'
import { Tally } from '../../../../src/execution/batch/tally.ts'

const second = 1_000

/** Of ten seeds in two slots, whose first two took 10 s and 30 s. */
function tallyOfTwo(): Tally {
  const tally = new Tally(10, 2)
  tally.begin(100)
  tally.begin(200)
  tally.end('success', 100, 100 + 10 * second)
  tally.end('error', 200, 200 + 30 * second)
  return tally
}

describe('the rest of a batch', () => {
  it('is unknown before a run has come to an end of its own', () => {
    const tally = new Tally(10, 2)
    for (const end of ['refused', 'unknown', 'timed-out', 'cancelled'] as const) {
      tally.begin(0)
      tally.end(end, 0, 10 * second)
    }

    expect(tally.snapshot(20 * second).expectedRest).toBeUndefined()
  })

  it('is the mean of those before for each that waits, through all slots', () => {
    expect(tallyOfTwo().snapshot(60 * second)).toMatchObject({
      waiting: 8,
      running: 0,
      expectedRest: (8 * 20 * second) / 2,
    })
  })

  it('counts of those that run what they have not run yet', () => {
    const tally = tallyOfTwo()
    tally.begin(40 * second)
    tally.begin(45 * second)

    expect(tally.snapshot(50 * second).expectedRest).toBe((6 * 20 + 10 + 15) * (second / 2))
  })

  it('counts nothing of those that have run for longer than the mean', () => {
    const tally = tallyOfTwo()
    tally.begin(40 * second)

    expect(tally.snapshot(100 * second).expectedRest).toBe((7 * 20 * second) / 2)
  })

  it('goes through no more slots than there are runs left', () => {
    const tally = tallyOfTwo()
    for (let left = 8; left > 1; left--) tally.count('not-started')

    expect(tally.snapshot(0)).toMatchObject({ waiting: 1, expectedRest: 20 * second })
  })

  it('is none when all are over', () => {
    const tally = tallyOfTwo()
    for (let left = 8; left > 0; left--) tally.count('success')

    expect(tally.snapshot(0)).toMatchObject({ waiting: 0, expectedRest: 0 })
  })
})

describe('a snapshot', () => {
  it('does not change when the batch goes on', () => {
    const tally = new Tally(1, 1)
    const { counts } = tally.snapshot(0)
    tally.count('success')

    expect(counts.succeeded).toBe(0)
  })
})
