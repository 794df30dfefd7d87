import { describe, expect, it } from '@jest/globals'
import { invariants, type Invariant } from '../../sandbox/simulation/invariants.ts'
import { runScenarios } from '../../sandbox/simulation/run-scenarios.ts'
import type { Actions } from '../../sandbox/simulation/simulated-step.ts'
import { describeStatistics } from '../../sandbox/simulation/statistics.ts'
import { findForgedCommand } from '../../sandbox/simulation/step-record.ts'
import * as broken from './broken-actions.ts'
import * as brokenBatch from './broken-batches.ts'

const brokenActions: Record<Invariant, Partial<Actions>> = {
  'starts accepted twice': { run: broken.startsTwice },
  'starts given up less than 3.5 s after a cancellation': { run: broken.abandonsTheStart },
  'starts sent again after a start that may have been accepted': { run: broken.startsTwice },
  'starts sent again for too long': { run: broken.startsLate },
  'starts given up before their time is over': { run: broken.startsOnlyOnce },
  'starts sent after a cancellation': { run: broken.connectsAfterTheCancellation },
  'executions started while another ran': { run: broken.retriesTooEarly },
  'executions started although no retry was due': { run: broken.retriesEveryEnd },
  'executions started while an earlier one may run': { run: broken.retriesTooEarly },
  'executions taken over from another step': { run: broken.takesOverOthers },
  'ends reported a second time': { run: broken.forgetsReportedEnds },
  'parallel executions although the cache works': { run: broken.forgetsStartedRuns },
  'first lines of re-runs that contradict the service': { run: broken.seesSuccess },
  'runs whose id is not reported': { run: broken.losesTheId },
  'ids that are not shown at once': { run: broken.showsTheIdLate },
  'execution ids that the service did not give to a start': { run: broken.followsAnyId },
  'finished runs that could not be fetched': { wait: broken.cannotFetch },
  'conclusions that contradict the service': { run: broken.concludesSuccess },
  'checks after a final refusal': { wait: broken.ignoresRefusals },
  'steps that pass although they must fail': { run: broken.swallowsFailures },
  'steps that fail although they must pass': { run: broken.alwaysFails },
  'steps that pass with an invalid result': { run: broken.ignoresTheSchema },
  'commit statuses that contradict the conclusion': { wait: broken.showsSuccess },
  'more than one commit status of a step': { wait: broken.showsTwice },
  'checks closer together than the poll interval': { run: broken.checksTooOften },
  'failures without exactly one annotation': { run: broken.annotatesTwice },
  'secrets shown': { run: broken.showsTheToken },
  'untrusted workflow commands in the log': { wait: broken.printsTheRawLog },
  'files that differ from the stored files': { run: broken.altersTheResult },
  'requests that differ from the documentation': { run: broken.rewritesTheSeed },
  'steps that never end': { run: broken.neverEnds },
  'steps that end late': { run: broken.endsLate },
  'last saves given up too early': { run: broken.abandonsTheLastSave },
  'more than a minute without a line of the log': { run: broken.hasNoHeartbeat },
  'steps that get two signals and do not report in time': { run: broken.exitsAtTheSecondSignal },
  'results lost in a short outage': { wait: broken.cannotFetch },
  'results lost after fewer than five failures': { wait: broken.triesOneDownload },
  'unknown encodings without a line': { wait: broken.hidesEncodings },
  'batches with wrong counts or missing files': { batch: brokenBatch.miscounts },
  'batches whose results are not in the order of the seeds': { batch: brokenBatch.mixesTheOrder },
  'conclusions of batches that contradict their runs': { batch: brokenBatch.concludesSuccess },
  'more than 5 checks per second in a batch': { batch: brokenBatch.checksTwice },
  'requests before a Retry-After has passed': { batch: brokenBatch.ignoresRetryAfter },
  'one execution for runs with different seeds': { batch: brokenBatch.joinsRuns },
  'batches that wait although they start nothing more': { batch: brokenBatch.waitsAfterTheStop },
  'starts less than 1 s after one that was not accepted': { batch: brokenBatch.startsAgainAtOnce },
  'starts beside one that alone is sent again': { batch: brokenBatch.treatsRefusalsAsBusy },
  'starts after a cancellation or refused credentials': {
    batch: brokenBatch.ignoresRefusedCredentials,
  },
  'more runs of a batch at once than max-parallel allows': { batch: brokenBatch.runsAllAtOnce },
  'more than 8 downloads at once': { batch: brokenBatch.downloadsWithoutLimit },
  'more runs started twice than a re-run warns of': { batch: brokenBatch.forgetsItsRecord },
  'successful runs started again': { batch: brokenBatch.forgetsItsRecord },
  'failed runs of a batch reported a second time': { batch: brokenBatch.overlooksTheFirstFlags },
  'promised executions missing in the newest record': { batch: brokenBatch.trustsEachSave },
  'open ends without a record': { run: broken.forgetsStartedRuns },
  'records of cancelled steps that say reported': { run: broken.trustsTheFirstReport },
  'records of first attempts that no re-run reads': { run: broken.savesAlways },
  'executions of a batch that are not reported': { batch: brokenBatch.losesTheIds },
  'files outside of the allowed folders': { batch: brokenBatch.writesElsewhere },
  'timers still running after the step': { run: broken.leavesATimer },
  bugs: { run: broken.hasABug },
}

/** The seeds where the search for a rare violation begins. Other searches begin at seed 2. */
const seeds: Partial<Record<Invariant, number>> = {
  'starts accepted twice': 17,
  'starts sent again after a start that may have been accepted': 10,
  'starts sent after a cancellation': 65,
  'executions started although no retry was due': 47,
  'executions started while an earlier one may run': 66,
  'executions taken over from another step': 23,
  'ends reported a second time': 4,
  'parallel executions although the cache works': 6,
  'steps that pass with an invalid result': 38,
  'checks after a final refusal': 50,
  'results lost after fewer than five failures': 125,
  'steps that get two signals and do not report in time': 65,
  'last saves given up too early': 66,
  'results lost in a short outage': 24,
  'requests before a Retry-After has passed': 10,
  'starts beside one that alone is sent again': 53,
  'starts after a cancellation or refused credentials': 70,
  'more runs of a batch at once than max-parallel allows': 6,
  'more than 8 downloads at once': 140,
  'successful runs started again': 3,
  'promised executions missing in the newest record': 50,
}

/** Returns the seed of the first of 20 scenarios that violates the invariant. */
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
    expect(await firstSeedThatViolates(invariant, brokenActions[invariant])).toBeDefined()
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
  ])('is found in: $lines', ({ lines }) => {
    expect(findForgedCommand(lines)).toBe(lines.at(-1))
  })

  it('is ignored while commands are switched off', () => {
    const lines = [token, '::error::forged', '##[error]', '::endless::', '::b7a1::', 'plain']

    expect(findForgedCommand(lines)).toBeUndefined()
  })
})
