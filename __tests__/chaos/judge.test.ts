import { describe, expect, it } from '@jest/globals'
import { cause } from '../../sandbox/chaos/chaos.ts'
import { ownActions } from '../../sandbox/chaos/own-actions.ts'
import type { ExtraFault } from '../../sandbox/chaos/extra-faults.ts'
import { findEndlessCall } from '../../sandbox/chaos/judge-disruption.ts'
import { zeros, type Offence } from '../../sandbox/chaos/offence.ts'
import { findForgedCommand } from '../../sandbox/chaos/recording.ts'
import type { Stories } from '../../sandbox/chaos/scenario.ts'
import { describeTally } from '../../sandbox/chaos/tally.ts'
import * as broken from './broken-stories.ts'

type Zero = Offence['zero']

const breaches: readonly (readonly [Zero, Partial<Stories>, ExtraFault?])[] = [
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
  ['silent greens', { run: broken.forgetsLostOutputs }, 'disk-full'],
  ['good results lost in an outage', { wait: broken.cannotFetch }, 'outage'],
  ['unknown encodings that nobody is told of', { wait: broken.hidesEncodings }, 'odd-encoding'],
  ['timers left running', { run: broken.leavesATimer }],
  ['bugs', { run: broken.hasABug }],
]

describe('a story that breaks a rule', () => {
  const rows = breaches.map(([zero, stories, also]) => ({ zero, stories, also }))

  it.each(rows)('is counted: $zero', async ({ zero, stories, also }) => {
    const options = { runs: 12, seed: 1, also: also ? [also] : [] }
    const tally = await cause(options, { ...ownActions, ...stories })

    expect(tally.offences.get(zero)).toBeGreaterThan(0)
  })

  it('is told with the seed that shows it again', async () => {
    const tally = await cause({ runs: 12, seed: 1 }, { ...ownActions, run: broken.hasABug })
    const { seed = -1, offence } = tally.first ?? {}
    const again = await cause({ runs: 1, seed }, { ...ownActions, run: broken.hasABug })

    expect(describeTally(tally)).toContain(`npm run chaos -- --runs 1 --seed ${seed}`)
    expect(again.first?.offence.zero).toBe(offence?.zero)
  })
})

it('a call is endless past its 30 s, and what the wire adds', () => {
  const quick = { sentAt: 5_000, at: 35_500 }

  expect(findEndlessCall([quick])).toBeUndefined()
  expect(findEndlessCall([quick, { sentAt: 5_000, at: 45_000 }])).toBe(40_000)
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

  expect(zeros.filter((zero) => !shown.has(zero))).toEqual([
    'commands of strangers in the log',
    'calls that never come back',
  ])
})
