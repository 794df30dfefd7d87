import { describe, expect, it } from '@jest/globals'
import { cause, ownStories } from '../../sandbox/chaos/chaos.ts'
import { zeros, type Offence } from '../../sandbox/chaos/offence.ts'
import { findForgedCommand } from '../../sandbox/chaos/recording.ts'
import type { Stories } from '../../sandbox/chaos/scenario.ts'
import { describeTally } from '../../sandbox/chaos/tally.ts'
import * as broken from './broken-stories.ts'

type Zero = Offence['zero']

const breaches: readonly (readonly [Zero, Partial<Stories>])[] = [
  ['starts accepted twice', { run: broken.startsTwice }],
  ['starts sent again after one that may have been accepted', { run: broken.startsTwice }],
  ['runs lost from sight', { run: broken.forgetsTheId }],
  ['runs that could not be fetched later', { wait: broken.cannotFetch }],
  ['verdicts that disagree with the service', { run: broken.claimsSuccess }],
  ['silent greens', { run: broken.swallowsFailures }],
  ['reds without a reason', { run: broken.failsAlways }],
  ['failures without exactly one annotation', { run: broken.complainsTwice }],
  ['secrets in any output', { run: broken.tellsTheToken }],
  ['files that differ from the stored ones', { run: broken.altersTheResult }],
  ['requests that are not as documented', { run: broken.rewritesTheSeed }],
  ['steps that never end', { run: broken.neverEnds }],
  ['steps that end late', { run: broken.isLate }],
  ['timers left running', { run: broken.leavesATimer }],
  ['bugs', { run: broken.hasABug }],
]

describe('a story that breaks a rule', () => {
  it.each(breaches)('is counted: %s', async (zero, stories) => {
    const tally = await cause({ runs: 12, seed: 1 }, { ...ownStories, ...stories })

    expect(tally.offences.get(zero)).toBeGreaterThan(0)
  })

  it('is told with the seed that shows it again', async () => {
    const tally = await cause({ runs: 12, seed: 1 }, { ...ownStories, run: broken.hasABug })
    const { seed = -1, offence } = tally.first ?? {}
    const again = await cause({ runs: 1, seed }, { ...ownStories, run: broken.hasABug })

    expect(describeTally(tally)).toContain(`npm run chaos -- --runs 1 --seed ${seed}`)
    expect(again.first?.offence.zero).toBe(offence?.zero)
  })
})

describe('a command in the log', () => {
  const token = '::stop-commands::b7a1'

  it.each([
    { lines: ['::error::forged'] },
    { lines: ['plain', '  ::set-output name=a::b'] },
    { lines: ['in the middle ##[error]of it'] },
    { lines: [token, 'text', '::b7a1::', '::error::after the end'] },
  ])('is a forged one: $lines', ({ lines }) => {
    expect(findForgedCommand(lines)).toBe(lines.at(-1))
  })

  it('is harmless while commands are switched off', () => {
    const lines = [token, '::error::forged', '##[error]', '::endless::', '::b7a1::', 'plain']

    expect(findForgedCommand(lines)).toBeUndefined()
  })
})

it('every zero has a breach that shows it', () => {
  const shown = new Set<Zero>(breaches.map(([zero]) => zero))

  expect(zeros.filter((zero) => !shown.has(zero))).toEqual(['commands of strangers in the log'])
})
