import { describe, expect, it } from '@jest/globals'
import { invariants, type Invariant } from '../../sandbox/simulation/invariants.ts'
import { runScenarios } from '../../sandbox/simulation/run-scenarios.ts'
import type { Actions } from '../../sandbox/simulation/simulated-step.ts'
import { describeStatistics } from '../../sandbox/simulation/statistics.ts'
import { findForgedCommand } from '../../sandbox/simulation/step-record.ts'
import * as broken from './broken-actions.ts'
import * as brokenBatch from './broken-batches.ts'

const breaches: Record<Invariant, Partial<Actions>> = {
  'starts accepted twice': { run: broken.startsTwice },
  'starts given up within 2 s of a cancellation': { run: broken.givesUpAtOnce },
  'starts sent again after one that may have been accepted': { run: broken.startsTwice },
  'executions started while another one ran': { run: broken.retriesWhatRuns },
  'executions started without a retry being due': { run: broken.retriesEveryEnd },
  'executions started although an earlier one may run': { run: broken.retriesWhatRuns },
  'executions of another step taken over': { run: broken.takesOverOthers },
  'ends reported a second time': { run: broken.forgetsWhatItReported },
  'two at once although the cache works': { run: broken.forgetsWhatItStarted },
  'runs without a known id': { run: broken.losesTheId },
  'finished runs that could not be fetched': { wait: broken.cannotFetch },
  'conclusions that contradict the service': { run: broken.concludesSuccess },
  'steps that pass although they failed': { run: broken.swallowsFailures },
  'steps that fail without a reason': { run: broken.failsAlways },
  'steps that pass with an invalid result': { run: broken.checksNothing },
  'copies overwritten by an invalid result': { run: broken.checksNothing },
  'results copied without a success': { run: broken.copiesAlways },
  'steps that pass without a copy that was asked for': { run: broken.forgetsCopies },
  'commit statuses that contradict the conclusion': { wait: broken.showsSuccess },
  'commit statuses out of order': { wait: broken.showsPendingLast },
  'checks closer than the poll interval': { run: broken.asksTooOften },
  'failures without exactly one annotation': { run: broken.annotatesTwice },
  'secrets shown': { run: broken.showsTheToken },
  'untrusted workflow commands in the log': { wait: broken.printsTheLogRaw },
  'files that differ from the stored ones': { run: broken.altersTheResult },
  'requests that are not as documented': { run: broken.rewritesTheSeed },
  'steps that never end': { run: broken.neverEnds },
  'steps that end late': { run: broken.endsLate },
  'steps signalled twice that do not report in time': { run: broken.exitsAtTheSecondSignal },
  'results lost in a short outage': { wait: broken.cannotFetch },
  'unknown encodings without a warning': { wait: broken.hidesEncodings },
  'batches whose accounts do not add up': { batch: brokenBatch.miscounts },
  'batches whose results are not in the order of the seeds': { batch: brokenBatch.mixesTheOrder },
  'conclusions of batches that contradict their runs': { batch: brokenBatch.concludesSuccess },
  'more than 5 checks of a batch a second': { batch: brokenBatch.checksTwice },
  'requests before a Retry-After is over': { batch: brokenBatch.ignoresRetryAfter },
  'starts after a cancellation or refused credentials': {
    batch: brokenBatch.goesOnWithoutCredentials,
  },
  'more runs of a batch at once than allowed': { batch: brokenBatch.runsAllAtOnce },
  'more than 8 downloads at once': { batch: brokenBatch.downloadsOutOfTurn },
  'more runs doubled by a re-run than its warnings say': { batch: brokenBatch.forgetsItsRecord },
  'runs that succeeded started again': { batch: brokenBatch.forgetsItsRecord },
  'promised executions that the newest record lacks': { batch: brokenBatch.forgetsRunningSaves },
  'executions of a batch that are not reported': { batch: brokenBatch.losesTheIds },
  'files outside of the folder': { batch: brokenBatch.writesElsewhere },
  'timers left running': { run: broken.leavesATimer },
  bugs: { run: broken.hasABug },
}

/** Scenarios that show what few do, soon: the search begins with them; else with the second. */
const seeds: Partial<Record<Invariant, number>> = {
  'starts accepted twice': 17,
  'starts sent again after one that may have been accepted': 10,
  'executions started without a retry being due': 47,
  'executions of another step taken over': 23,
  'ends reported a second time': 4,
  'two at once although the cache works': 6,
  'steps that pass with an invalid result': 38,
  'copies overwritten by an invalid result': 184,
  'steps signalled twice that do not report in time': 21,
  'results lost in a short outage': 24,
  'requests before a Retry-After is over': 10,
  'starts after a cancellation or refused credentials': 20,
  'more runs of a batch at once than allowed': 6,
  'more than 8 downloads at once': 80,
  'runs that succeeded started again': 3,
  'promised executions that the newest record lacks': 124,
}

/** The first of 20 scenarios that violates it. */
async function firstSeedThatViolates(invariant: Invariant, actions: Partial<Actions>) {
  const first = seeds[invariant] ?? 2
  for (let seed = first; seed < first + 20; seed++) {
    const count = 'batch' in actions ? { runs: 0, batches: 1 } : { runs: 1, batches: 0 }
    const { violations } = await runScenarios({ ...count, seed }, actions)
    if ((violations.get(invariant) ?? 0) > 0) return seed
  }
  return undefined
}

describe('a broken action', () => {
  it.each(invariants)('violates: %s', async (invariant) => {
    expect(await firstSeedThatViolates(invariant, breaches[invariant])).toBeDefined()
  })

  it('is reported with the seed that repeats the violation', async () => {
    const statistics = await runScenarios({ runs: 12, seed: 1 }, { run: broken.hasABug })
    const { seed = -1, violation } = statistics.first ?? {}
    const again = await runScenarios({ runs: 1, seed }, { run: broken.hasABug })

    expect(describeStatistics(statistics)).toContain(
      `npm run chaos -- --runs 1 --batches 0 --seed ${seed}`,
    )
    expect(again.first?.violation.invariant).toBe(violation?.invariant)
  })
})

describe('a workflow command in the log', () => {
  const token = '::stop-commands::b7a1'

  it.each([
    { lines: ['::error::forged'] },
    { lines: ['plain', '  ::set-output name=a::b'] },
    { lines: ['in the middle ##[error]of it'] },
    { lines: [token, 'text', '::b7a1::', '::error::after the end'] },
  ])('would be obeyed: $lines', ({ lines }) => {
    expect(findForgedCommand(lines)).toBe(lines.at(-1))
  })

  it('has no effect while commands are switched off', () => {
    const lines = [token, '::error::forged', '##[error]', '::endless::', '::b7a1::', 'plain']

    expect(findForgedCommand(lines)).toBeUndefined()
  })
})
