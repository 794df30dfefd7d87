import { describe, expect, it } from '@jest/globals'
import { runBatch } from '../../../support/batch-run.ts'
import { httpError } from '../../../support/failures.ts'
import { orAbort } from '../../../../src/clock.ts'
import { NetworkError } from '../../../../src/service/errors.ts'

const second = 1_000
const minute = 60 * second
const conclusionsOf = ({ rows }: { rows: readonly { conclusion: string }[] }) =>
  rows.map(({ conclusion }) => conclusion)

describe('a problem of one run does not affect the others:', () => {
  it('a start that may have been accepted is not repeated', async () => {
    const batch = await runBatch([{ starts: ['lost'] }, {}, {}], { maxParallel: 1 })

    expect(conclusionsOf(batch)).toEqual(['unknown', 'success', 'success'])
    expect(batch.service.starts).toHaveLength(3)
    expect([batch.conclusion, batch.rows[0]?.execution_id]).toEqual(['failure', null])
  })

  it('a start that does not arrive is sent again for as long as the timeout allows', async () => {
    const starts = Array.from({ length: 40 }, () => 'unreached' as const)
    const batch = await runBatch([{ starts }, {}], { maxParallel: 2 })

    expect(conclusionsOf(batch)).toEqual(['success', 'success'])
    expect(batch.endedAt).toBeGreaterThan(4 * minute)
    expect(batch.log).toContain('0 run 1 not accepted: 127.0.0.1: connection refused')
  })

  it('a bug of this action: the run ends as unknown, with its id', async () => {
    let checks = 0
    const batch = await runBatch([{}, {}, {}], {
      prepare: (service) => {
        service.trouble = () => (checks++ === 1 ? new TypeError('a defect') : undefined)
      },
      maxParallel: 1,
    })

    expect(conclusionsOf(batch)).toEqual(['unknown', 'success', 'success'])
    expect(batch.rows[0]).toMatchObject({ execution_id: 'e1', cause: 'a defect', resumed: false })
  })
})

describe('401 or 403 to a start', () => {
  it.each([401, 403])('prevents later starts, and stops no run (%i)', async (status) => {
    const batch = await runBatch([{ takes: 5 * minute }, { starts: [{ status }] }, {}, {}], {
      maxParallel: 2,
    })

    expect(conclusionsOf(batch)).toEqual(['success', 'not-started', 'not-started', 'not-started'])
    expect(batch.service.starts).toHaveLength(2)
    expect(batch).toMatchObject({ conclusion: 'failure', stopped: 'credentials' })
    expect(batch.needsOtherCredentials).toBe(status === 401)
    expect(batch.rows[2]).toMatchObject({
      stopReason: 'credentials',
      cause: 'the service refused the credentials',
    })
  })

  it('also stops the starts that wait for the end of a Retry-After', async () => {
    const batch = await runBatch(
      [
        { starts: [{ status: 429, retryAfter: 10 * second }, { status: 401 }] },
        { starts: [{ status: 429, retryAfter: 10 * second }] },
        { starts: [{ status: 429, retryAfter: 10 * second }] },
      ],
      { maxParallel: 3, latency: 100 },
    )

    expect(conclusionsOf(batch)).toEqual(['not-started', 'not-started', 'not-started'])
    expect(batch.service.starts).toHaveLength(4)
    expect(batch.log.filter((line) => line.includes('held'))).toEqual(['100 held for 10000'])
  })
})

describe('401 or 403 to a check', () => {
  it.each([401, 403])('also stops all later starts (%i)', async (status) => {
    const batch = await runBatch([{ checks: { status } }, { takes: 5 * minute }, {}], {
      maxParallel: 2,
    })

    expect(conclusionsOf(batch)).toEqual(['unknown', 'success', 'not-started'])
    expect(batch).toMatchObject({ conclusion: 'failure', stopped: 'credentials' })
    expect(batch.needsOtherCredentials).toBe(status === 401)
  })

  it('for a fresh link, after the run has ended, also stops all later starts', async () => {
    const batch = await runBatch([{ files: true, takes: 0 }, { takes: 5 * minute }, {}], {
      maxParallel: 1,
      prepare: (service) => {
        const isFresh = () => service.checks.filter((it) => it.executionId === 'e1').length > 1
        service.trouble = () => (isFresh() ? httpError(401) : undefined)
      },
    })

    expect(batch).toMatchObject({ stopped: 'credentials', needsOtherCredentials: true })
  })
})

describe('fail-fast', () => {
  it('starts no more runs after a failed run, and running executions are followed', async () => {
    const batch = await runBatch([{ takes: 5 * minute }, { ends: 'error' }, {}, {}], {
      failFast: true,
      maxParallel: 2,
    })

    expect(conclusionsOf(batch)).toEqual(['success', 'error', 'not-started', 'not-started'])
    expect(batch).toMatchObject({ conclusion: 'failure', stopped: 'fail-fast' })
    expect(batch.service.starts).toHaveLength(2)
  })

  it.each([
    ['a start that may have been accepted', { starts: ['lost' as const] }],
    ['a start that was refused', { starts: [{ status: 400 }] }],
  ])('is triggered by %s', async (_, course) => {
    const batch = await runBatch([course, {}], { failFast: true, maxParallel: 1 })

    expect(conclusionsOf(batch)[1]).toBe('not-started')
  })

  it('is triggered by a result that was not validated', async () => {
    const notMade = { kind: 'not-made', why: 'this did not finish in 20 s' } as const
    const env = { validate: () => Promise.resolve(notMade) }
    const given = { failFast: true, maxParallel: 1, env }
    const batch = await runBatch([{}, {}, {}], given)

    // The second run begins before the first result is checked.
    expect(conclusionsOf(batch)).toEqual(['unknown', 'unknown', 'not-started'])
  })

  it('is triggered by a success whose result is lost, because it fails the step', async () => {
    const courses = [{ files: true }, { takes: 5 * minute }, {}]
    const batch = await runBatch(courses, { failFast: true, maxParallel: 1 })

    expect(conclusionsOf(batch)).toEqual(['success', 'success', 'not-started'])
    expect(batch).toMatchObject({ conclusion: 'failure', stopped: 'fail-fast' })
  })

  it('is not triggered by a conclusion that fail-on allows', async () => {
    const batch = await runBatch([{ ends: 'stopped' }, {}], {
      failFast: true,
      maxParallel: 1,
      failsStep: (conclusion) => conclusion === 'error',
    })

    expect(conclusionsOf(batch)).toEqual(['stopped', 'success'])
    expect(batch.rows.some(({ failsStep }) => failsStep)).toBe(false)
  })
})

describe('when the time has run out', () => {
  it('the last checks are sent within 2 s, as far as the budget allows', async () => {
    const courses = Array.from({ length: 60 }, () => ({ takes: 4 * minute + 59 * second }))
    const batch = await runBatch(courses, { maxParallel: 60, timeout: 5 * minute })
    const last = batch.service.checks.filter(({ at }) => at >= 5 * minute)

    expect(last.length).toBeGreaterThanOrEqual(10)
    expect(last.length).toBeLessThanOrEqual(15)
    expect(batch.endedAt).toBeLessThanOrEqual(5 * minute + 2 * second)
    expect(batch.counts.succeeded).toBeGreaterThanOrEqual(last.length)
    expect(batch.counts.succeeded + batch.counts.unfinished).toBe(60)
    expect(batch.conclusion).toBe('timed-out')
  })

  it('a run whose last check was not sent has no cause', async () => {
    const courses = Array.from({ length: 60 }, () => ({ takes: 10 * minute }))
    const batch = await runBatch(courses, { maxParallel: 60, timeout: 5 * minute })

    expect(batch.rows.map(({ cause }) => cause)).toEqual(courses.map(() => null))
  })

  it('the other runs are not started', async () => {
    const batch = await runBatch([{ takes: 10 * minute }, {}], {
      maxParallel: 1,
      timeout: 5 * minute,
    })

    expect(conclusionsOf(batch)).toEqual(['timed-out', 'not-started'])
    expect(batch.rows[1]).toMatchObject({
      index: 1,
      label: 'run 2',
      resumed: false,
      attempts: 0,
      cause: 'the input timeout ran out',
      stopReason: 'timed-out',
      failsStep: true,
    })
    expect(batch).toMatchObject({ stopped: 'timed-out', needsOtherCredentials: false })
    expect(batch.conclusion).toBe('timed-out')
  })

  it('a start that waits for the end of a Retry-After counts as timed-out for fail-on', async () => {
    const limited = { starts: [{ status: 429, retryAfter: 10 * minute }] }
    const refused = { starts: [{ status: 400 }] }
    const batch = await runBatch([limited, refused, {}, {}], {
      maxParallel: 2,
      latency: second,
      timeout: 5 * minute,
      failsStep: (conclusion) => conclusion !== 'timed-out',
    })

    const late = { conclusion: 'not-started', stopReason: 'timed-out', failsStep: false }
    expect(batch.rows).toMatchObject([
      { ...late, cause: 'the service answered 429 (Retry-After asks for a pause of 10 min)' },
      { conclusion: 'refused', failsStep: true },
      { ...late, cause: 'the input timeout ran out' },
      { ...late, cause: 'the input timeout ran out' },
    ])
  })

  it('a start that failed without a Retry-After counts as not-started for fail-on', async () => {
    const starts = Array.from({ length: 9 }, () => 'unreached' as const)
    const limited = Array.from({ length: 9 }, () => ({ status: 429 }))
    const batch = await runBatch([{ starts }, { starts: limited }], {
      timeout: 10 * second,
      failsStep: (conclusion) => conclusion !== 'timed-out',
    })

    expect(conclusionsOf(batch)).toEqual(['not-started', 'not-started'])
    expect(batch.rows.map(({ stopReason, failsStep }) => [stopReason, failsStep])).toEqual([
      [undefined, true],
      [undefined, true],
    ])
  })

  it('the batch waits for no last check if a Retry-After to another call forbids checks', async () => {
    const limited = { starts: [{ status: 429, retryAfter: 10 * minute }] }
    const batch = await runBatch([{ takes: 10 * minute }, limited], {
      maxParallel: 2,
      timeout: 5 * minute,
    })

    expect(conclusionsOf(batch)).toEqual(['timed-out', 'not-started'])
    expect(batch.endedAt).toBe(5 * minute)
  })

  it('a run whose retry waits for the end of a Retry-After has failed', async () => {
    const limited = { starts: [{ status: 429, retryAfter: 10 * minute }] }
    const batch = await runBatch([{ ends: 'container-error' }, {}, limited], {
      maxParallel: 2,
      timeout: 5 * minute,
      retries: 1,
      failsStep: (conclusion) => conclusion !== 'timed-out',
    })

    expect(batch.service.starts).toHaveLength(3)
    expect(batch.rows[0]).toMatchObject({
      conclusion: 'container-error',
      stopReason: undefined,
      failsStep: true,
    })
  })
})

it.each([
  ['cancelled', { cancelAt: minute }],
  ['timed-out', { timeout: minute }],
])('a connection that is not made yet ends with the batch: %s', async (stopReason, given) => {
  const batch = await runBatch([{}, {}], {
    ...given,
    maxParallel: 1,
    env: {
      start: (_seed, _signal, whileConnecting) =>
        orAbort(new Promise<never>(() => undefined), whileConnecting).catch((cause: unknown) => {
          throw new NetworkError('cut', { mayHaveArrived: false, cause })
        }),
    },
  })

  expect(batch.endedAt).toBe(minute)
  expect(batch.rows.map((record) => record.stopReason)).toEqual([stopReason, stopReason])
})

describe('an error of a subscriber', () => {
  const doneIn = (log: readonly string[]) => log.filter((line) => line.includes(' ended: '))

  it('to the end of a run ends the batch, after running executions have been followed', async () => {
    const happened: string[] = []
    const batch = runBatch([{ takes: 0 }, { takes: minute }, {}, {}], {
      maxParallel: 2,
      emit: (event) => {
        if (event.kind === 'done') happened.push(`run ${event.seed.index + 1} is done`)
        if (event.kind === 'stopped') happened.push(event.cause)
        if (event.kind === 'done') throw new Error('a defect')
      },
    })

    await expect(batch).rejects.toThrow('a defect')
    const others = ['run 4 is done', 'run 2 is done', 'run 3 is done']
    expect(happened).toEqual(['run 1 is done', 'internal-error', ...others])
  })

  it('to an earlier event is the one end of that run', async () => {
    const batch = await runBatch([{}, {}], {
      maxParallel: 1,
      emit: (event) => {
        const isEnd = event.kind === 'run' && event.event.kind === 'ended'
        if (isEnd && event.seed.index === 0) throw new Error('a defect')
      },
    })

    expect(batch.rows).toMatchObject([
      { conclusion: 'unknown', execution_id: 'e1', cause: 'a defect' },
      { conclusion: 'success' },
    ])
    expect(doneIn(batch.log)).toHaveLength(2)
  })
})
