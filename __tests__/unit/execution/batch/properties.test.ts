/** Random batches under random endings. The seed of a failure is part of its report. */
import { describe, expect, it } from '@jest/globals'
import { SeededRandom } from '../../../../sandbox/simulation/seeded-random.ts'
import type { RecordedRun } from '../../../../src/execution/rerun.ts'
import type { RunRecord } from '../../../../src/execution/batch/batch.ts'
import { conclusions } from '../../../../src/execution/conclusion.ts'
import { runBatch, type Given } from '../../../support/batch-run.ts'
import type { Course } from '../../../support/batch-service.ts'
import { httpError } from '../../../support/failures.ts'

const second = 1_000
const minute = 60 * second
const outcomes = ['success', 'error', 'container-error', 'stopped'] as const

type Refusal = NonNullable<Course['starts']>[number] | undefined

function drawCourse(random: SeededRandom): Course {
  const refusal = random.weigh<Refusal>([
    [12, undefined],
    [1, 'lost'],
    [1, 'unreached'],
    [1, { status: 400 }],
    [1, { status: 429, retryAfter: random.whole(0, 30) * second }],
    [1, { status: 503, retryAfter: random.whole(0, 30) * second }],
    [0.1, { status: 401 }],
  ])
  return {
    takes: random.chance(0.3) ? 0 : random.sizeBetween(second, 5 * minute),
    endsInTurn: [random.pick(outcomes), random.pick(outcomes)],
    starts: refusal === undefined ? [] : [refusal],
    ...(random.chance(0.05) && { checks: { status: random.pick([401, 404, 429, 500]) } }),
  }
}

function drawGiven(random: SeededRandom, count: number): Given {
  const timeout = random.chance(0.5) ? 3 * 60 * minute : random.between(0, 5 * minute)
  const recorded = Array.from({ length: count }, (_, index): RecordedRun => {
    const executionId = `before-${index}`
    const ends = outcomes.map(
      (conclusion) => ({ kind: 'ended', attempt: 1, executionId, conclusion }) as const,
    )
    return random.chance(0.3)
      ? random.pick<RecordedRun>([{ kind: 'started', attempt: 1, executionId }, ...ends])
      : { kind: 'none' }
  })
  const isAgain = random.chance(0.4)
  return {
    timeout,
    maxParallel: random.whole(1, 40),
    retries: random.whole(0, 1),
    failFast: random.chance(0.3),
    latency: random.pick([0, 50, 3_000]),
    pollInterval: random.pick([250, 5_000]),
    ...(random.chance(0.3) && { cancelAt: random.between(0, 5 * minute) }),
    ...(isAgain && { recorded: ({ index }) => recorded[index] ?? { kind: 'none' } }),
    prepare: (service) => {
      for (const known of recorded) {
        if (!('executionId' in known) || random.chance(0.1)) continue
        // A record may be wrong: what it says ended so may run, or have ended otherwise.
        const isTrue = random.chance(0.7)
        const ended =
          isTrue && known.kind === 'ended'
            ? outcomes.find((each) => each === known.conclusion)
            : undefined
        const takes = ended ? 0 : random.between(0, 2 * minute)
        service.has(known.executionId, { takes, ends: ended ?? random.pick(outcomes) })
      }
      service.trouble = () => {
        if (random.chance(0.97)) return undefined
        return httpError(503, random.chance(0.2) ? { retryAfter: 5 * second } : {})
      }
    },
  }
}

async function drawBatch(seed: number) {
  const random = new SeededRandom(seed)
  const courses = Array.from({ length: random.whole(0, 60) }, () => drawCourse(random))
  const given = drawGiven(random, courses.length)
  return { courses, given, batch: await runBatch(courses, given) }
}

/** How many were followed in the same moment; between two executions, a run has no slot. */
function maxAtOnce(records: readonly RunRecord[]): number {
  const spans = records.flatMap(({ startedAt, endedAt, attempts }) =>
    startedAt === undefined || endedAt === undefined || attempts.length > 1
      ? []
      : [{ startedAt, endedAt }],
  )
  const at = (now: number) =>
    spans.filter(({ startedAt, endedAt }) => startedAt <= now && now < endedAt).length
  return Math.max(0, ...spans.map(({ startedAt }) => at(startedAt)))
}

describe('whatever becomes of its runs, a batch', () => {
  it.each(Array.from({ length: 30 }, (_, index) => index + 1))(
    'keeps its rules (%i)',
    async (n) => {
      const { courses, given, batch } = await drawBatch(n)
      const { records, counts, service } = batch
      const { total, ...kinds } = counts

      // Every seed is on record once, in order, and in exactly one count.
      expect(records.map(({ index }) => index)).toEqual(courses.map((_, index) => index))
      expect(total).toBe(courses.length)
      for (const [kind, count] of Object.entries(kinds)) {
        expect([kind, count]).toEqual([
          kind,
          records.filter(({ conclusion }) => conclusions[conclusion].category === kind).length,
        ])
      }
      expect(Object.values(kinds).reduce((sum, count) => sum + count, 0)).toBe(total)
      expect(batch.conclusion === 'success').toBe(counts.succeeded === total)

      expect(maxAtOnce(records)).toBeLessThanOrEqual(given.maxParallel ?? NaN)
      expect(service.busiestSecond()).toBeLessThanOrEqual(5)

      // No execution belongs to two runs.
      const executions = records.flatMap(({ attempts }) =>
        attempts.map(({ executionId }) => executionId),
      )
      expect(new Set(executions).size).toBe(executions.length)
      // Every execution of the service is on record.
      const started = [...service.executions.keys()].filter((id) => /^e\d+$/.test(id))
      for (const id of started) expect(executions).toContain(id)

      // Of a timeout: 2 s for a start on its way, then 2 s for the last check.
      const timedOut = (given.timeout ?? NaN) + 4 * second
      const cancelled = (given.cancelAt ?? Infinity) + 2 * second
      expect(batch.endedAt).toBeLessThanOrEqual(Math.min(timedOut, cancelled))
      // Nothing goes on: only the test's own timer for the cancellation may be left.
      expect(batch.clock.sleeping).toBeLessThanOrEqual(1)
    },
  )
})
