/** Tests what stops the starts of a batch: fail-fast, credentials, time, cancellation, defects. */
import { describe, expect, it } from '@jest/globals'
import { orAbort } from '../../../../src/clock.ts'
import { stopWords } from '../../../../src/execution/batch/batch-types.ts'
import { NetworkError } from '../../../../src/service/service-errors.ts'
import type { EarlierRun } from '../../../../src/execution/begin.ts'
import { runBatch, type Given } from '../../../support/batch-run.ts'
import type { Course } from '../../../support/batch-service.ts'
import { httpError } from '../../../support/failures.ts'

const second = 1_000
const minute = 60 * second
const one = { maxParallel: 1 }
const failed = { ends: 'error' } as const
const lateStart = { starts: [{ status: 429, retryAfter: 10 * minute }] }
const notTimedOut = (conclusion: string) => conclusion !== 'timed-out'
const conclusionsOf = ({ rows }: { rows: readonly { conclusion: string }[] }) =>
  rows.map(({ conclusion }) => conclusion)
/** Each download takes this long, and then fails. */
const slow = (takes: number): Partial<Given> => ({
  store: (clock) => ({
    open: (_, signal) => clock.sleep(takes, signal).then(() => Promise.reject(new Error('no'))),
  }),
})

describe('fail-fast', () => {
  const notMade = { kind: 'not-made', why: 'this did not finish in 20 s' } as const
  const env = { validate: () => Promise.resolve(notMade) }
  const invalid = { kind: 'invalid', problems: { lines: ['it is empty'], count: 1 } } as const

  it.each<[string, Course, string, Given?]>([
    ['a failed run', failed, 'error'],
    ['a start that may have been accepted', { starts: ['lost'] }, 'unknown'],
    ['a start that was refused', { starts: [{ status: 400 }] }, 'refused'],
    ['a result that was not validated', {}, 'unknown', { env }],
    [
      'an invalid result',
      {},
      'invalid-result',
      { env: { validate: () => Promise.resolve(invalid) } },
    ],
    ['a lost result', { files: true }, 'success'],
  ])('stops the batch after %s', async (_, ...row) => {
    const [course, first, given] = row
    // A slot is free before files are fetched, so another run may begin meanwhile.
    const batch = await runBatch([course, { takes: 5 * minute }, {}], {
      ...given,
      ...one,
      failFast: true,
      isFailing: notTimedOut,
    })

    const [conclusion, , last] = conclusionsOf(batch)
    expect([conclusion, last]).toEqual([first, 'not-started'])
    expect(batch).toMatchObject({ conclusion: 'failure', stopped: 'fail-fast' })
    expect(batch.rows[2]).toMatchObject({ failsStep: true })
  })

  it.each<[string, Course, Given]>([
    ['that fail-on allows', { ends: 'stopped' }, { isFailing: (ended) => ended === 'error' }],
    ['before its retry', { endsInTurn: ['container-error', 'success'] }, { retries: 1 }],
  ])('does not react to an end %s', async (_, course, given) => {
    const batch = await runBatch([course, {}], { ...given, ...one, failFast: true })

    expect([batch.stopped, batch.rows[1]?.conclusion]).toEqual([undefined, 'success'])
    expect(batch.rows.some(({ failsStep }) => failsStep)).toBe(false)
  })

  it('does not wait for the files of the failed run', async () => {
    const courses = [{ ...failed, files: true }, {}]
    const batch = await runBatch(courses, { ...slow(minute), ...one, failFast: true })

    expect(conclusionsOf(batch)).toEqual(['error', 'not-started'])
  })

  it('also prevents retries, and the last end counts', async () => {
    const courses = [{ ...failed, takes: 20 * second }, { ends: 'container-error' as const }]
    const batch = await runBatch(courses, { retries: 1, failFast: true })

    expect(batch.rows[1]).toMatchObject({ conclusion: 'container-error', execution_id: 'e2' })
    expect(batch.service.starts).toHaveLength(2)
  })
})

describe('401 or 403', () => {
  it.each([401, 403])('to one start is a pause of all starts (%i)', async (status) => {
    const courses = [{ takes: 0 }, { starts: [{ status }] }, {}]
    const batch = await runBatch(courses, { maxParallel: 2 })

    expect(conclusionsOf(batch)).toEqual(['success', 'success', 'success'])
    expect(batch.service.starts.map(({ at }) => at)).toEqual([0, 0, second, second])
  })

  it.each([401, 403])('to a start for 30 s stops the batch, and no run (%i)', async (status) => {
    const starts = Array.from({ length: 20 }, () => ({ status }))
    const courses = [{ takes: 5 * second }, { starts }, {}, {}]
    const batch = await runBatch(courses, { maxParallel: 2 })

    expect(conclusionsOf(batch)).toEqual(['success', 'not-started', 'not-started', 'not-started'])
    // Meanwhile, this start alone is sent again.
    const [, ...later] = batch.service.starts
    expect(later.every(({ seed }) => seed.includes(String(status)))).toBe(true)
    expect(later.length).toBeLessThan(8)
    expect(later.at(-1)?.at).toBeGreaterThanOrEqual(30 * second)
    expect(batch).toMatchObject({ conclusion: 'failure', stopped: 'credentials' })
    expect(batch.needsOtherCredentials).toBe(status === 401)
    expect(batch.rows[1]).toMatchObject({
      cause: expect.stringContaining(String(status)),
    })
    expect(batch.rows[2]).toMatchObject({ cause: 'the service refused the credentials' })
  })

  it.each([401, 403])('to all checks of one run ends that run alone (%i)', async (status) => {
    const courses = [{ checks: { status } }, { takes: 5 * minute }, {}]
    const batch = await runBatch(courses, { maxParallel: 2 })

    expect(conclusionsOf(batch)).toEqual(['unknown', 'success', 'success'])
    expect(batch.rows[0]?.endedAt).toBe(30 * second)
    expect([batch.stopped, batch.needsOtherCredentials]).toEqual([undefined, status === 401])
  })

  it('to the first check of a re-run stops all later starts', async () => {
    const recorded = ({ number }: { number: number }): EarlierRun =>
      number > 1
        ? { kind: 'none' }
        : { kind: 'known', attempt: 1, executionId: 'e', outcome: undefined, isEndReported: false }
    const batch = await runBatch([{}, {}], {
      ...one,
      recorded,
      prepare: (service) => service.has('e', { checks: { status: 401 } }),
    })

    expect(conclusionsOf(batch)).toEqual(['unknown', 'not-started'])
    expect([batch.stopped, batch.needsOtherCredentials]).toEqual(['credentials', true])
  })
})

describe('when the time has run out', () => {
  it('the last checks are sent within 2 s, as far as the budget allows; others have no cause', async () => {
    const courses = Array.from({ length: 60 }, (_, at) => {
      return { takes: at < 30 ? 4 * minute + 59 * second : 10 * minute }
    })
    const batch = await runBatch(courses, { maxParallel: 60, timeout: 5 * minute })
    const last = batch.service.checks.filter(({ at }) => at >= 5 * minute)

    expect(last.length).toBeGreaterThanOrEqual(10)
    expect(last.length).toBeLessThanOrEqual(15)
    expect(batch.endedAt).toBeLessThanOrEqual(5 * minute + 2 * second)
    expect(batch.counts.succeeded + batch.counts.unfinished).toBe(60)
    expect(batch.conclusion).toBe('timed-out')
    expect([...new Set(batch.rows.map(({ cause }) => cause))]).toEqual([null])
  })

  it('the other runs are not started, and count as timed-out for fail-on', async () => {
    const refused = { starts: [{ status: 400 }] }
    const given = { maxParallel: 2, latency: second, timeout: 5 * minute, isFailing: notTimedOut }
    const batch = await runBatch([lateStart, refused, {}], given)

    const late = { conclusion: 'not-started', failsStep: false }
    expect(batch.rows).toMatchObject([
      { ...late, cause: 'the service answered 429 (Retry-After asks for a pause of 10 min)' },
      { conclusion: 'refused', failsStep: true },
      { ...late, cause: 'the input timeout ran out', execution_id: null, execution_count: 0 },
    ])
    expect(batch).toMatchObject({ conclusion: 'timed-out', stopped: 'timed-out' })
    expect(batch.needsOtherCredentials).toBe(false)
  })

  it('for fail-on, a start counts as timed out only if the service had asked it to wait', async () => {
    const starts = Array.from({ length: 9 }, () => 'unreached' as const)
    const limited = Array.from({ length: 9 }, () => ({ status: 429 }))
    const given = { timeout: 10 * second, isFailing: notTimedOut }
    const { rows } = await runBatch([{ starts }, { starts: limited }], given)

    const conclusion = 'not-started'
    expect(rows).toMatchObject([
      { conclusion, failsStep: true },
      { conclusion, failsStep: false },
    ])
  })

  it('a Retry-After delays no last check', async () => {
    const held = { checks: [{ status: 429, retryAfter: 10 * minute }] }
    const batch = await runBatch([{}, held], { timeout: 5 * minute })

    expect(conclusionsOf(batch)).toEqual(['success', 'success'])
    expect(batch.endedAt).toBeLessThan(5 * minute + second)
  })

  it('two last checks in a row that get a 429 or 503 end the others', async () => {
    const courses = Array.from({ length: 9 }, () => ({ takes: 10 * minute }))
    const batch = await runBatch(courses, {
      maxParallel: 9,
      timeout: 5 * minute,
      prepare: (service, clock) => {
        service.trouble = () => (clock.elapsed < 5 * minute ? undefined : httpError(503))
      },
    })

    expect(batch.service.checks.filter(({ at }) => at >= 5 * minute)).toHaveLength(2)
    expect(batch.counts.unfinished).toBe(9)
  })

  it('a run whose retry waits for the end of a Retry-After has failed', async () => {
    const courses = [{ ends: 'container-error' as const }, {}, lateStart]
    const given = { maxParallel: 2, timeout: 5 * minute, retries: 1, isFailing: notTimedOut }
    const batch = await runBatch(courses, given)

    expect(batch.service.starts).toHaveLength(3)
    const end = { conclusion: 'container-error', failsStep: true }
    expect(batch.rows[0]).toMatchObject(end)
  })
})

describe('the conclusion of a batch', () => {
  it('is cancelled, if it was cancelled while the result of a successful run was fetched', async () => {
    const given = { ...slow(minute), cancelAt: second }
    const batch = await runBatch([{ takes: 0, files: true }], given)

    expect([batch.conclusion, batch.endedAt]).toEqual(['cancelled', second])
  })

  it('is failure, if the time ran out while the files of a failed run were fetched', async () => {
    const given = { ...slow(5 * second), timeout: 62 * second }
    const batch = await runBatch([{ ...failed, files: true }], given)

    expect(batch.endedAt).toBeGreaterThan(62 * second)
    expect(batch).toMatchObject({ conclusion: 'failure', stopped: 'timed-out' })
  })
})

it.each<['cancelled' | 'timed-out', Given]>([
  ['cancelled', { cancelAt: minute }],
  ['timed-out', { timeout: minute }],
])('a connection that is not made yet ends with the batch: %s', async (stopped, given) => {
  const batch = await runBatch([{}, {}], {
    ...given,
    ...one,
    env: {
      sendStart: (_seed, _signal, untilConnected) =>
        orAbort(new Promise<never>(() => undefined), untilConnected).catch((cause: unknown) => {
          throw new NetworkError('cut', { mayHaveArrived: false, cause })
        }),
    },
  })

  expect(batch.endedAt).toBe(minute)
  const { [stopped]: cause } = stopWords
  expect(batch.rows).toMatchObject([{ cause }, { cause }])
})

it('a cancellation after the last run stops nothing', async () => {
  const batch = await runBatch([{ takes: 0 }], { cancelAt: 5 * minute })
  await batch.clock.advance(5 * minute)

  expect(batch.log.filter((line) => line.includes('stop'))).toEqual([])
})

it('a start that does not arrive is sent again for as long as the timeout allows', async () => {
  const starts = Array.from({ length: 40 }, () => 'unreached' as const)
  const batch = await runBatch([{ starts }])

  expect(batch.counts.succeeded).toBe(1)
  expect(batch.endedAt).toBeGreaterThan(4 * minute)
})

describe('an internal error', () => {
  it('gives back the slot of its run', async () => {
    const batch = await runBatch([{}, {}], {
      ...one,
      emit: (event) => {
        const isStart = event.kind === 'run' && event.event.kind === 'started'
        if (isStart && event.seed.number === 1) throw new Error('a defect')
      },
    })

    expect(conclusionsOf(batch)).toEqual(['unknown', 'success'])
  })

  it('in a run is the one end of that run, and does not affect the others', async () => {
    const batch = await runBatch([{}, {}], {
      ...one,
      emit: (event) => {
        const isEnd = event.kind === 'run' && event.event.kind === 'ended'
        if (isEnd && event.seed.number === 1) throw new Error('a defect')
      },
    })

    expect(batch.rows).toMatchObject([
      { conclusion: 'unknown', execution_id: 'e1', cause: 'a defect', failsStep: true },
      { conclusion: 'success' },
    ])
    expect(batch.log.filter((line) => line.includes(' ended: '))).toHaveLength(2)
  })

  it('at the end of a run ends the batch, after running executions have been followed', async () => {
    const happened: string[] = []
    const batch = runBatch([{ takes: 0 }, { takes: minute }, {}, {}], {
      maxParallel: 2,
      emit: (event) => {
        if (event.kind === 'done') happened.push(`run ${event.seed.number} is done`)
        if (event.kind === 'starts-stopped') happened.push(event.reason)
        if (event.kind === 'done') throw new Error('a defect')
      },
    })

    await expect(batch).rejects.toThrow('a defect')
    const others = ['run 4 is done', 'run 2 is done', 'run 3 is done']
    expect(happened).toEqual(['run 1 is done', 'internal-error', ...others])
  })
})
