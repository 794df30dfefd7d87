import { Readable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import type { Store } from '../../../../src/download/store.ts'
import type { SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'
import { runBatch } from '../../../support/batch-run.ts'

const second = 1_000
const minute = 60 * second
const many = (count: number, course = {}) => Array.from({ length: count }, () => course)

/** A store that needs so long for each file. */
const slowStore =
  (span: number) =>
  (clock: SimulatedClock): Store => ({
    open: async (link, _, signal) => {
      await clock.sleep(span, signal)
      const body = Readable.from([Buffer.from(link)])
      return { status: 200, headers: {}, body, close: () => undefined }
    },
  })

describe('a run that had no turn', () => {
  it('is on record without an execution', async () => {
    const { records } = await runBatch([{ takes: 10 * minute }, {}], {
      maxParallel: 1,
      timeout: minute,
    })

    expect(records[1]).toEqual({
      index: 1,
      label: 'run 2',
      conclusion: 'not-started',
      resumed: false,
      attempts: [],
      stopReason: 'timed-out',
      failsStep: true,
    })
  })
})

describe('runs that are over', () => {
  const instant = { maxParallel: 1, collaborators: { checksPerSecond: Infinity } }

  it('and wait until their files are fetched let a hundred begin beside those in slots', async () => {
    const { service } = await runBatch(many(120, { takes: 0, files: true }), {
      ...instant,
      store: slowStore(30 * second),
      cancelAt: 20 * second,
    })

    expect(service.starts).toHaveLength(101)
  })

  it('and fetched make room for any number of others', async () => {
    const { counts } = await runBatch(many(120, { takes: 0 }), instant)

    expect(counts.succeeded).toBe(120)
  })
})
