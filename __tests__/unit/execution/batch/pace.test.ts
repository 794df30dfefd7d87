import { describe, expect, it } from '@jest/globals'
import {
  afterAccepted,
  afterCheck,
  afterCheckSent,
  afterRejected,
  afterRunEnded,
  afterStartSent,
  checkDelay,
  endsLastChecks,
  startDelay,
  unhindered,
  type Pace,
} from '../../../../src/execution/batch/pace.ts'
import { connectionRefused, httpError } from '../../../support/failures.ts'

const [one, other] = [{ run: 1 }, { run: 2 }]
const unclear = httpError(503)
const wrong = httpError(400)
const proven = httpError(401, { isProven: true })
const wait = (seconds: number) => httpError(429, { retryAfter: seconds * 1_000 })

/** Returns a start that was sent and answered at these seconds. Without an error, it was accepted. */
const start = (sentAt: number, at: number, failure?: Error) => ({ sentAt, at, failure })
type Start = ReturnType<typeof start>

/** Returns the pace after these answers. The starts may overlap. */
function paceAfter(starts: readonly Start[]): Pace {
  const sent = starts.reduce((pace, { sentAt }) => afterStartSent(pace, sentAt * 1_000), unhindered)
  return starts.reduce((pace, { sentAt, at, failure }) => {
    if (!failure) return afterAccepted(pace)
    return afterRejected(pace, one, { failure, sentAt: sentAt * 1_000, at: at * 1_000 })
  }, sent)
}

describe('the next start may be sent', () => {
  it.each<[string, Start[], number]>([
    ['at once, if nothing was answered', [], 0],
    ['at once, if all were accepted', [start(0, 1)], 1],
    ['1 s after an unclear start', [start(0, 1, unclear)], 2],
    ['1 s after a refused start', [start(0, 1, wrong)], 2],
    [
      '1 s after a Retry-After that asks for nothing',
      [start(0, 1, httpError(500, { retryAfter: 9_000 }))],
      2,
    ],
    ['1 s after a start without a connection', [start(0, 1, connectionRefused())], 2],
    ['2 s after the second one', [start(0, 1, unclear), start(2, 3, wrong)], 5],
    ['4 s after the third one', [start(0, 1, wrong), start(2, 3, wrong), start(5, 6, wrong)], 10],
    ['30 s after many', Array.from({ length: 9 }, (_, at) => start(at * 40, at * 40, wrong)), 350],
    ['1 s after starts that were sent side by side', [start(0, 1, wrong), start(0, 1, wrong)], 2],
    [
      '1 s after one that was sent when the previous one failed',
      [start(0, 1, wrong), start(1, 1, wrong)],
      2,
    ],
    [
      '1 s after one that was sent side by side with a failed and an accepted one',
      [start(0, 1, wrong), start(0, 1), start(0, 2, wrong)],
      3,
    ],
    [
      '1 s after one that follows an accepted one',
      [start(0, 1, wrong), start(2, 2), start(3, 4, wrong)],
      5,
    ],
    [
      '1 s after a failure, also if an earlier start is accepted later',
      [start(0, 1, wrong), start(0, 1)],
      2,
    ],
    ['after the Retry-After', [start(0, 1, wait(9))], 10],
    ['after the longer Retry-After', [start(0, 1, wait(9)), start(0, 2, wait(3))], 10],
  ])('%s', (_, starts, seconds) => {
    const pace = paceAfter(starts)
    const last = starts.at(-1)?.at ?? 0

    expect(last * 1_000 + startDelay(pace, other, last * 1_000)).toBe(seconds * 1_000)
  })

  it('if it is one of the first two, and otherwise after 1 s or an accepted one', () => {
    const first = afterStartSent(unhindered, 5_000)
    const second = afterStartSent(first, 5_400)

    expect(startDelay(first, other, 5_000)).toBe(0)
    expect(startDelay(second, other, 5_400)).toBe(600)
    expect(startDelay(afterStartSent(second, 6_000), other, 6_000)).toBe(0)
    expect(startDelay(afterStartSent(afterAccepted(second), 5_500), other, 5_500)).toBe(0)
  })

  it('one at a time until one is accepted, then two at once, then four', () => {
    let pace = paceAfter([start(0, 0, wrong)])
    for (const limit of [1, 2, 4]) {
      for (let sent = 0; sent < limit; sent += 1) {
        expect(startDelay(pace, one, 9_000)).toBe(0)
        pace = afterStartSent(pace, 9_000)
      }
      expect(startDelay(pace, one, 9_000)).toBe(Infinity)
      for (let sent = 0; sent < limit; sent += 1) pace = afterAccepted(pace)
    }
  })

  it.each([
    ['may be proven by another answer', httpError(401)],
    ['are proven', proven],
  ])(
    'only by the run whose credentials are refused, and %s, until another answer',
    (_, refusal) => {
      const held = paceAfter([start(0, 1, refusal)])

      expect([startDelay(held, one, 9_000), startDelay(held, other, 9_000)]).toEqual([0, Infinity])
      const again = afterStartSent(held, 2_000)
      const changes = [
        afterAccepted(again),
        afterRejected(again, one, { failure: wrong, sentAt: 2_000, at: 3_000 }),
        afterRunEnded(held, one),
      ]
      expect(changes.map((pace) => startDelay(pace, other, 9_000))).toEqual([0, 0, 0])
      const stillHeld = [
        afterRunEnded(held, other),
        afterRejected(again, other, { failure: proven, sentAt: 0, at: 3_000 }),
      ]
      expect(stillHeld.map((pace) => startDelay(pace, other, 9_000))).toEqual([Infinity, Infinity])
    },
  )

  it('by any run, if the refusal is of another kind', () => {
    const pace = paceAfter([start(0, 1, httpError(400, { isProven: true }))])
    expect(startDelay(pace, other, 9_000)).toBe(0)
  })
})

describe('unclear starts in a row', () => {
  it.each<[number, Start[]]>([
    [1, [start(0, 1, unclear)]],
    [1, [start(0, 1, unclear), start(0, 2, unclear), start(0, 3, unclear)]],
    [3, [start(0, 1, unclear), start(2, 3, unclear), start(5, 6, unclear)]],
    [1, [start(0, 1, unclear), start(2, 3), start(4, 5, unclear)]],
    [1, [start(0, 1, unclear), start(2, 3, wrong), start(5, 6, unclear)]],
    [1, [start(0, 1, wrong), start(0, 1, unclear)]],
  ])('are %d: %j', (count, starts) => {
    expect(paceAfter(starts).unclear).toBe(count)
  })
})

describe('a Retry-After to a check', () => {
  const held = afterCheck(
    afterCheckSent(unhindered, 0),
    { failure: wait(3_600), sentAt: 0, at: 1_000 },
    false,
  )

  it('holds all checks but one a minute', () => {
    expect(checkDelay(held, 1_000)).toBe(59_000)
    expect(checkDelay(held, 60_000)).toBe(0)
    expect(checkDelay(afterCheckSent(held, 60_000), 61_000)).toBe(59_000)
    expect(checkDelay(afterCheckSent(held, 3_600_000), 3_600_500)).toBe(500)
  })

  it.each<[string, Error | undefined, number, number]>([
    ['ends with an answer to a later check', undefined, 60_000, 0],
    ['ends with an answer to a check that was sent when it arrived', undefined, 1_000, 0],
    ['continues after an answer to an earlier check', undefined, 500, 58_000],
    ['continues after another failure', httpError(500), 60_000, 58_000],
    ['continues after another Retry-After', wait(600), 60_000, 58_000],
  ])('%s', (_, failure, sentAt, delay) => {
    const sent = { ...held, checkedAt: 60_000 }
    const pace = afterCheck(sent, { failure, sentAt, at: 62_000 }, false)

    expect(checkDelay(pace, 62_000)).toBe(delay)
  })

  it('is not shortened by a later one', () => {
    const long = { failure: wait(30), sentAt: 0, at: 1_000 }
    const short = { failure: wait(2), sentAt: 0, at: 2_000 }
    const pace = afterCheck(afterCheck(afterCheckSent(unhindered, 0), long, false), short, false)

    expect(checkDelay(pace, 2_000)).toBe(29_000)
  })

  it('does not hold starts, and a Retry-After to a start does not hold checks', () => {
    expect(startDelay(held, one, 1_000)).toBe(0)
    expect(checkDelay(paceAfter([start(0, 1, wait(9))]), 1_000)).toBe(0)
  })
})

it.each<[boolean, (Error | undefined)[], boolean?]>([
  [true, [httpError(503), wait(1)]],
  [false, [httpError(503), undefined, httpError(503)]],
  [false, [httpError(503), httpError(500), httpError(503)]],
  [false, [httpError(503), wait(1)], false],
])('last checks end after two overloads in a row: %p', (ends, failures, isLast = true) => {
  const pace = failures.reduce<Pace>(
    (before, failure) => afterCheck(before, { failure, sentAt: 0, at: 0 }, isLast),
    unhindered,
  )

  expect(endsLastChecks(pace)).toBe(ends)
})
