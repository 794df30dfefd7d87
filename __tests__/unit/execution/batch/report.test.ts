import { describe, expect, it } from '@jest/globals'
import { runBatch, type Given } from '../../../support/batch-run.ts'
import type { Course } from '../../../support/batch-service.ts'

const second = 1_000
const minute = 60 * second
const limited = { starts: [{ status: 429, retryAfter: 10 * minute }] }
const one = { maxParallel: 1 }
const notStored = () => Promise.reject(new Error('nothing is stored'))

describe('a batch concludes', () => {
  it('success, even if it was cancelled while the files of successful runs were fetched', async () => {
    const batch = await runBatch([{ takes: 0, files: true }], {
      cancelAt: second,
      store: (clock) => ({ open: (_, signal) => clock.sleep(minute, signal).then(notStored) }),
    })

    expect([batch.conclusion, batch.endedAt]).toEqual(['success', second])
  })

  it('timed-out, if the time ran out before any start was accepted', async () => {
    const batch = await runBatch([limited, {}], { ...one, timeout: 5 * minute })

    expect(batch.counts).toMatchObject({ unfinished: 0, notStarted: 2 })
    expect(batch).toMatchObject({ conclusion: 'timed-out', stopped: 'timed-out' })
  })

  it('failure, if the time ran out while the files of a failed run were fetched', async () => {
    const batch = await runBatch([{ ends: 'error', files: true }], {
      timeout: 62 * second,
      store: (clock) => ({ open: (_, signal) => clock.sleep(5_000, signal).then(notStored) }),
    })

    expect(batch.endedAt).toBeGreaterThan(62 * second)
    expect(batch).toMatchObject({ conclusion: 'failure', stopped: undefined })
  })
})

it.each<[string, Course[], Given, object]>([
  ['fail-fast', [{ ends: 'error' }], { failFast: true }, { needsOtherCredentials: false }],
  ['a 403', [{ checks: { status: 403 } }], {}, { needsOtherCredentials: false }],
  ['a 401', [{ checks: { status: 401 } }], {}, { needsOtherCredentials: true }],
])(
  'a batch says whether a re-run needs other credentials: %s',
  async (_, courses, given, expected) => {
    expect(await runBatch(courses, { ...one, ...given })).toMatchObject(expected)
  },
)

describe('a batch reports', () => {
  it('how long it took', async () => {
    const batch = await runBatch([{ takes: 10 * second }, { takes: 10 * second }], one)

    // The first check of the second run comes 200 ms after the last check of the first run.
    expect(batch.duration).toBe(20 * second + 200)
  })

  it('a seed without a run after fail-fast as not-started, also to fail-on', async () => {
    const { rows } = await runBatch([{ ends: 'error' }, {}], {
      ...one,
      failFast: true,
      failsStep: (conclusion) => conclusion !== 'timed-out',
    })

    expect(rows[1]).toMatchObject({ conclusion: 'not-started', failsStep: true })
  })

  it('that a conclusion that fail-on allows does not fail the step, even without a result', async () => {
    const { rows } = await runBatch([{ ends: 'stopped', files: true }], {
      failsStep: () => false,
    })

    expect(rows[0]).toMatchObject({
      conclusion: 'stopped',
      failsStep: false,
      cause: null,
    })
  })
})
