import { Readable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import type { SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'
import type { Store } from '../../../../src/download/store.ts'
import { runBatch } from '../../../support/batch-run.ts'

const second = 1_000
const many = (count: number, course = {}) => Array.from({ length: count }, () => course)

/** A store that takes `takes` ms for each file. Counts the files that it serves at once. */
class SlowStore implements Store {
  maxAtOnce = 0
  readonly opened: string[] = []
  readonly #clock: SimulatedClock
  readonly #takes: number
  #open = 0

  constructor(clock: SimulatedClock, takes: number) {
    this.#clock = clock
    this.#takes = takes
  }

  async open(link: string, signal: AbortSignal) {
    this.opened.push(link)
    this.#open += 1
    this.maxAtOnce = Math.max(this.maxAtOnce, this.#open)
    await this.#clock.sleep(this.#takes, signal).finally(() => (this.#open -= 1))
    const body = Readable.from([Buffer.from(link)])
    return { status: 200, headers: { 'content-type': 'text/plain' }, body, close: () => undefined }
  }
}

async function fetchFrom(takes: number, ...[courses, given]: Parameters<typeof runBatch>) {
  let store: SlowStore | undefined
  const batch = await runBatch(courses, {
    ...given,
    store: (clock) => (store = new SlowStore(clock, takes)),
  })
  return { ...batch, store: store ?? new SlowStore(batch.clock, 0) }
}

describe('the files of runs', () => {
  it('are fetched during the next run, because a slot is free at the end of a run', async () => {
    const { rows } = await fetchFrom(20 * second, [{ files: true, takes: 0 }, { takes: 0 }], {
      maxParallel: 1,
    })

    expect(rows[1]?.startedAt).toBe(rows[0]?.endedAt)
    expect(rows[1]?.startedAt).toBe(0)
  })

  it('are fetched for 8 runs at once, by fresh links after a long wait, within the budget of checks', async () => {
    const batch = await fetchFrom(25 * second, many(40, { files: true, takes: 0 }), {
      maxParallel: 40,
    })
    const checks = new Map<string, number>()
    for (const { executionId } of batch.service.checks) {
      checks.set(executionId, (checks.get(executionId) ?? 0) + 1)
    }

    // Runs that waited for longer than half of a link's life were checked again, once.
    expect([...new Set(checks.values())].sort()).toEqual([1, 2])
    expect(batch.store.opened).toHaveLength(80)
    // Each of the eight runs has a result and a log.
    expect(batch.store.maxAtOnce).toBe(16)
    expect(batch.service.shortestGap()).toBeGreaterThan(199.9)
    expect(batch.counts.succeeded).toBe(40)
  })

  it('get fresh links before other runs are checked, because the next download waits', async () => {
    const count = 400
    const takes = 3 * second
    const batch = await fetchFrom(takes, many(count, { files: true, takes: 0 }), {
      maxParallel: 50,
    })

    // The time of the downloads alone, 8 at once, and 5% of it for all delays.
    expect(batch.endedAt).toBeLessThan((count / 8) * takes * 1.05)
    expect(batch.service.shortestGap()).toBeGreaterThan(199.9)
    expect(batch.counts.succeeded).toBe(count)
  })

  it('that wait for their turn when the time runs out are still fetched', async () => {
    const batch = await fetchFrom(900, many(40, { files: true, takes: 0 }), {
      maxParallel: 40,
      timeout: 9 * second,
    })

    expect(batch.counts.succeeded).toBe(40)
    expect(batch.rows.filter(({ result_file }) => result_file === null)).toEqual([])
  })
})
