/** Steps made by hand, where the checks and the simulated cache once blamed the wrong one. */
import { describe, expect, it, jest } from '@jest/globals'
import { drawBatchPlan, makeBatchContext } from '../../sandbox/simulation/batch-plan.ts'
import { shouldBatchPass } from '../../sandbox/simulation/check-accounts.ts'
import { checkBatchAttempt } from '../../sandbox/simulation/check-reruns.ts'
import type { FinishedStep } from '../../sandbox/simulation/finished-step.ts'
import { SeededRandom } from '../../sandbox/simulation/seeded-random.ts'
import { drawCaller } from '../../sandbox/simulation/secrets.ts'
import { SimulatedCache, SimulatedStorage } from '../../sandbox/simulation/simulated-cache.ts'
import { neverAborts, SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { PendingWork, runToEnd } from '../../sandbox/simulation/simulated-time.ts'
import { StepRecord } from '../../sandbox/simulation/step-record.ts'
import { StoredObject } from '../../sandbox/simulation/stored-object.ts'
import { Traffic, type Exchange, type StatusRecord } from '../../sandbox/simulation/traffic.ts'

const random = new SeededRandom(1)
const running = { error: false, stopped: false, container_error: false }

/** A batch of one run, without faults: each call of `attempt` is one attempt of its job. */
function batchOfOne() {
  const drawn = drawBatchPlan(random)
  const seeds = drawn.batch.seeds.slice(0, 1)
  const always = { onRerun: 'resume', isChecked: false } as const
  const plan = { ...drawn, batch: { ...drawn.batch, seeds }, ...always }
  const context = makeBatchContext(random, drawCaller(random), plan, 2)
  const [run] = context.runs
  if (!run) throw new Error('there is no run')
  const objects = { result: new StoredObject({ mediaType: '', bytes: Buffer.of(1) }, random) }
  Object.assign(run, { objects })
  const { service, clock } = run
  const exchange = (route: 'start' | 'status', id: string, record?: StatusRecord): Exchange => {
    const answer = { kind: 'answer', status: 200, retryAfter: undefined, proper: true } as const
    const seen = { ...answer, record, executionId: id }
    return { route, service, seen, sentAt: clock.now(), at: clock.now(), isCut: false }
  }
  /** Its one run is started, or `taken` over and seen to be over; it ends after `span`. */
  const attempt = async ({ found = '', span = 0, killed = false, taken = '', link = '' }) => {
    const traffic = new Traffic()
    if (found) traffic.recordFound = found
    const startedAt = clock.now()
    const id = taken || service.executions.begin(startedAt)
    if (!taken) traffic.accepted.push(id)
    const record = { ...running, finished: true, result_url: link || null, logs_url: null }
    traffic.exchanges.push(taken ? exchange('status', id, record) : exchange('start', id))
    await clock.advance(span)
    const row = { index: 0, label: null, execution_id: id, conclusion: 'success', cause: null }
    const rows = [{ ...row, result_file: null, log_file: null }]
    const batch = { rows, failedSeeds: '', kept: new Map(), data: [], composed: [], strays: [] }
    const step: FinishedStep = {
      plan,
      run: {
        recorded: new StepRecord(),
        passed: false,
        startedAt,
        endedAt: clock.now(),
        cancelledAt: undefined,
        killed,
        hung: undefined,
        bug: undefined,
      },
      traffic,
      context,
      atOnce: [],
      files: {
        result: undefined,
        log: undefined,
        copies: {},
        composed: [],
        leftovers: [],
        batch: taken ? batch : undefined,
      },
    }
    return { id, step, violations: checkBatchAttempt(step, [{ ...step, context: run }]) }
  }
  return { run, attempt }
}

describe('a run that a re-run doubles without a word', () => {
  it.each([
    { found: '', span: 22_900, isDue: false },
    { found: '', span: 23_100, isDue: true },
    { found: 'an older record', span: 2_900, isDue: false },
    { found: 'an older record', span: 3_100, isDue: true },
  ])('is due in a record $span ms after its start, found "$found": $isDue', async (given) => {
    const { run, attempt } = batchOfOne()
    Object.assign(run.plan, { duration: 3_600_000 })
    await attempt({ ...given, killed: true })
    const { violations } = await attempt({})

    expect(violations.map(({ invariant }) => invariant)).toEqual(
      given.isDue ? ['more runs doubled by a re-run than its warnings say'] : [],
    )
  })
})

describe('a success without the result that its execution left', () => {
  it.each([
    { link: 'https://store.example/', passes: false },
    { link: '', passes: true },
  ])('passes where the attempt before was given the link "$link": $passes', async (given) => {
    const { run, attempt } = batchOfOne()
    const { id: taken } = await attempt({})
    const execution = run.service.executions.find(taken)
    if (execution) execution.plan.change = 'without files since'
    await attempt({ taken, link: given.link })
    const { step } = await attempt({ taken })

    expect(shouldBatchPass(step)).toBe(given.passes)
  })
})

describe('a cache that evicts', () => {
  const place = 'run-automation-7-490f54f65958e2cd-'
  const own = `${place}355ee842-${'0'.repeat(32)}-`

  /** Whether the entry is gone after look-ups with all that can go wrong. */
  async function loses(prefix: string): Promise<boolean> {
    const cache = new SimulatedCache()
    cache.add(`${own}v1`, 0, Buffer.of())
    for (let seed = 0; seed < 20; seed++) {
      const given = { clock: new SimulatedClock(), traffic: new Traffic(), rate: 1 }
      const storage = new SimulatedStorage({ ...given, cache, random: new SeededRandom(seed) })
      await storage.find({ prefix, name: 'record' }, neverAborts)
    }
    return cache.newest(own).length === 0
  }

  it('loses the record of the step that looks it up', async () => {
    expect(await loses(own)).toBe(true)
  })

  it('keeps that of another step, whose place alone is looked up', async () => {
    expect(await loses(place)).toBe(false)
  })
})

it('work may take any number of turns', async () => {
  const clock = new SimulatedClock({ maxJump: 0 })
  const work = async () => {
    for (let turn = 0; turn < 9; turn++) await new Promise(setImmediate)
  }

  expect(await runToEnd(work(), clock, clock.now(), new PendingWork())).toEqual({
    kind: 'returned',
    value: undefined,
  })
})

it('work on files may take any real time', async () => {
  const [clock, pending] = [new SimulatedClock({ maxJump: 0 }), new PendingWork()]
  let now = 0
  const busyMachine = jest.spyOn(performance, 'now').mockImplementation(() => (now += 60_000))
  pending.begin()
  setTimeout(() => pending.end(), 5)
  const ending = await runToEnd(clock.sleep(10), clock, clock.now() + 20, pending)
  busyMachine.mockRestore()

  expect(ending).toEqual({ kind: 'returned', value: undefined })
})
