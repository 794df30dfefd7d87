import { describe, expect, it } from '@jest/globals'
import { cause } from '../../sandbox/chaos/chaos.ts'
import { ownActions } from '../../sandbox/chaos/own-actions.ts'
import { extraFaults } from '../../sandbox/chaos/extra-faults.ts'
import { zeros } from '../../sandbox/chaos/offence.ts'
import { liveThrough, type Theatre } from '../../sandbox/chaos/scenario.ts'
import { readDefaults } from '../../sandbox/chaos/stage-environment.ts'
import { describeTally } from '../../sandbox/chaos/tally.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

// The same runs every time: what fails here fails everywhere.
const tally = await cause({ runs: 150, seed: 20_260_105 })
const allZero = Object.fromEntries(zeros.map((zero) => [zero, 0]))

describe('many runs among faults', () => {
  it('never do what must not happen', () => {
    expect(tally.first).toBeUndefined()
    expect(Object.fromEntries(tally.offences)).toEqual(allZero)
  })

  it('reach every conclusion, through every kind of fault', () => {
    const { conclusions, faults } = tally
    const reached = [...conclusions.keys()].filter((name) => /^(run|wait):/.test(name))
    expect(new Set(reached.map((name) => name.split(': ')[1]))).toEqual(
      new Set([
        'success',
        'error',
        'container-error',
        'stopped',
        'timed-out',
        'cancelled',
        'unknown',
        'failed',
      ]),
    )
    expect([...faults.keys()]).toEqual(
      expect.arrayContaining(['connection refused', 'half an answer', 'redirect', 'download cut']),
    )
  })
})

/** All but the log, which names folders and tokens that are new every time. */
async function decided(seed: number, theatre: Theatre) {
  const acts = await liveThrough(seed, theatre)
  return acts.map(({ told, ...act }) => ({ ...act, lines: told.length }))
}

describe('further faults', () => {
  const furtherOnes = /101|drips|outage|disk full|encoding (utf-8|aws-chunked|zstd)/

  it('are drawn where they are switched on, and only there', async () => {
    const { faults } = await cause({ runs: 60, seed: 1, also: extraFaults })
    const drawn = [...faults.keys()].flatMap((name) => furtherOnes.exec(name)?.[0] ?? [])

    expect(drawn).toEqual(expect.arrayContaining(['101', 'drips', 'outage', 'disk full']))
    expect([...tally.faults.keys()].filter((name) => furtherOnes.test(name))).toEqual([])
  })

  it('stand in the command that shows a run again', async () => {
    const drawn = await cause({ runs: 1, seed: 1, also: ['drip'] })

    expect(drawn.replay(1)).toBe('npm run chaos -- --runs 1 --seed 1 --also drip')
  })
})

describe('a seed', () => {
  it.each([3, 4, 11])('decides the whole life (%i)', async (seed) => {
    await using folder = await makeTemporaryFolder()
    const theatre = {
      stories: ownActions,
      folder: folder.path,
      defaults: await readDefaults(),
      extras: new Set<never>(),
    }

    expect(await decided(seed, theatre)).toEqual(await decided(seed, theatre))
  })

  it('starts anew with the next number, so that any run can be replayed alone', async () => {
    const together = await cause({ runs: 2, seed: 7 })
    const [first, second] = [await cause({ runs: 1, seed: 7 }), await cause({ runs: 1, seed: 8 })]

    expect(together.steps).toBe(first.steps + second.steps)
  })
})

describe('the report', () => {
  it('counts conclusions, faults and what must be zero', async () => {
    const told = describeTally(await cause({ runs: 5, seed: 1 }))

    expect(told).toMatch(/^5 runs, \d+ steps\n\nConclusions reached\n/)
    expect(told).toMatch(/\nFaults injected\n {2}\S/)
    expect(told).toMatch(/\n {2}starts accepted twice +0\n/)
    expect(told).not.toContain('Replay')
  })
})
