import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { concludeFrom } from '../../../src/execution/conclusion.ts'
import type { ExecutionStatus } from '../../../src/service/contract.ts'
import { MalformedAnswerError } from '../../../src/service/errors.ts'
import { record } from '../../support/execution-status.ts'
import { connectionReset, httpError } from '../../support/failures.ts'
import { watchRun, type Check } from '../../support/watch-run.ts'

const flag = fc.boolean()
const anyRecord = fc
  .record({ finished: flag, error: flag, stopped: flag, container_error: flag })
  .map((flags) => record(flags))
const anyFailure = fc.oneof(
  fc.constantFrom(400, 401, 403, 404, 408, 429, 500, 502, 503, 504).map((code) => httpError(code)),
  fc.nat(200_000).map((retryAfter) => httpError(503, { retryAfter })),
  fc.constant(connectionReset()),
  fc.constant(new MalformedAnswerError({ status: 200, headers: {} }, 'HTML')),
)
const anyAnswers = fc.array(fc.oneof(anyRecord, anyFailure), { minLength: 1, maxLength: 25 })
const circumstances = { timeout: 600_000 }

const isRecord = (check: Check | undefined): check is ExecutionStatus =>
  typeof check === 'object' && !(check instanceof Error)
const isGreen = (check: Check) =>
  isRecord(check) && check.finished && concludeFrom(check) === 'success'

describe('whatever the service answers, in whatever order,', () => {
  it('success is reported only if a finished record without another flag was seen', async () => {
    await fc.assert(
      fc.asyncProperty(anyAnswers, async (answers) => {
        const { ending, checkedAt } = await watchRun(answers, circumstances)
        if (ending.kind !== 'finished' || ending.outcome !== 'success') return
        expect(answers.slice(0, checkedAt.length).some(isGreen)).toBe(true)
      }),
    )
  })

  it('a finished record ends the watch at once, with the outcome of that record', async () => {
    await fc.assert(
      fc.asyncProperty(anyAnswers, async (answers) => {
        const { ending, checkedAt } = await watchRun(answers, circumstances)
        const seen = answers.slice(0, checkedAt.length).filter(isRecord)
        const over = seen.findIndex(({ finished }) => finished)
        if (over === -1) return
        const status = seen[over]
        expect(over).toBe(seen.length - 1)
        expect(ending).toEqual({
          kind: 'finished',
          outcome: concludeFrom(status ?? record()),
          status,
        })
      }),
    )
  })

  it('an outcome is reported only for a record that has this outcome', async () => {
    await fc.assert(
      fc.asyncProperty(anyAnswers, async (answers) => {
        const { ending } = await watchRun(answers, circumstances)
        if (ending.kind !== 'finished') return
        expect(answers).toContain(ending.status)
        expect(concludeFrom(ending.status)).toBe(ending.outcome)
      }),
    )
  })

  it('the watch ends by its deadline, and checks have pauses between them', async () => {
    await fc.assert(
      fc.asyncProperty(anyAnswers, async (answers) => {
        const { endedAt, checkedAt } = await watchRun(answers, circumstances)
        expect(endedAt).toBeLessThanOrEqual(600_000)
        const gaps = checkedAt.slice(1).map((moment, index) => moment - (checkedAt[index] ?? 0))
        // A grace period may end right after a check. Otherwise checks are at least a second apart.
        expect(gaps.filter((gap) => gap < 1_000).length).toBeLessThanOrEqual(answers.length)
      }),
    )
  })
})

describe('every set of flags', () => {
  const sets = [...Array(16).keys()].map((bits) => ({
    finished: (bits & 1) > 0,
    error: (bits & 2) > 0,
    stopped: (bits & 4) > 0,
    container_error: (bits & 8) > 0,
  }))

  it.each(sets)('%j, seen again and again', async (flags) => {
    const status = record(flags)
    const { ending, endedAt } = await watchRun([status], { timeout: 120_000 })

    if (flags.finished || concludeFrom(flags) !== 'success') {
      expect(ending).toEqual({ kind: 'finished', outcome: concludeFrom(flags), status })
      expect(endedAt).toBe(flags.finished ? 0 : 30_000)
    } else {
      expect(ending).toMatchObject({ kind: 'timed-out' })
      expect(endedAt).toBe(120_000)
    }
  })
})
