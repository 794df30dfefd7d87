import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  durationBetween,
  failOn,
  parseDuration,
  waiting,
  waitingForStarts,
} from '../../../../src/runner/inputs/waiting.ts'
import { outcome, problemsOf } from './outcome.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

describe('a duration', () => {
  it.each([
    ['250ms', 250],
    ['90s', 90 * second],
    ['10m', 10 * minute],
    ['2h', 2 * hour],
    ['1h30m', hour + 30 * minute],
    ['1h2m3s4ms', hour + 2 * minute + 3 * second + 4],
    ['1m500ms', minute + 500],
    ['0s', 0],
    ['007s', 7 * second],
  ])('%s is %d ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds)
  })

  it.each([
    ...['', '0', '90', '10x', '10 m', '1.5h', '-5s', '+5s', '1e3', '0x10', 's', 'h1', '10M'],
    ...['30m1h', '5s5s', '1h30', '1d', '５s', '5s\n', 'Infinity'],
    ...['9007199254740992ms', '99999999999999999999h'],
  ])('%j is refused', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })

  it('is the sum of its parts', () => {
    const part = fc.option(fc.nat(100_000), { nil: undefined })
    fc.assert(
      fc.property(part, part, part, part, (hours, minutes, seconds, milliseconds) => {
        const parts = [
          [hours, 'h'],
          [minutes, 'm'],
          [seconds, 's'],
          [milliseconds, 'ms'],
        ] as const
        const text = parts.map(([n, unit]) => (n === undefined ? '' : `${n}${unit}`)).join('')
        fc.pre(text !== '')
        const sum =
          (hours ?? 0) * hour +
          (minutes ?? 0) * minute +
          (seconds ?? 0) * second +
          (milliseconds ?? 0)
        expect(parseDuration(text)).toBe(sum)
      }),
    )
  })

  it('is a safe whole number of milliseconds, if it is valid', () => {
    const digits = fc.string({
      unit: fc.constantFrom(...Array.from('0123456789hms')),
      maxLength: 24,
    })
    fc.assert(
      fc.property(digits, (text) => {
        const span = parseDuration(text) ?? 0
        expect(Number.isSafeInteger(span) && span >= 0).toBe(true)
      }),
    )
  })
})

describe('an input that takes a duration', () => {
  const pause = durationBetween('100ms', '1h')

  it('accepts its bounds, and white space around', async () => {
    expect(await outcome(pause, '100ms')).toBe(100)
    expect(await outcome(pause, ' 1h\n')).toBe(hour)
  })

  it('names its bounds when a duration is outside', async () => {
    const problem = (found: string) => [`expected a duration from 100ms to 1h, found "${found}"`]
    expect(await problemsOf(pause, '99ms')).toEqual(problem('99ms'))
    expect(await problemsOf(pause, '61m')).toEqual(problem('61m'))
    expect(await problemsOf(pause, '0s')).toEqual(problem('0s'))
  })

  it('shows how durations are written, and what was found', async () => {
    expect(await problemsOf(pause, '10x')).toEqual([
      'expected a duration such as 250ms, 90s, 10m or 1h30m, found "10x"',
    ])
  })

  it.each([
    ['30', '30s or 30m'],
    ['0', '0s'],
  ])('says how to write %s, which has no unit', async (text, expected) => {
    expect(await problemsOf(pause, text)).toEqual([
      `expected a duration with a unit: write ${expected}, found "${text}"`,
    ])
  })

  it('refuses an empty text, which would override the default', async () => {
    const problem = 'empty or not given; give a value, or leave the input out to use its default'
    expect(await problemsOf(pause, '')).toEqual([problem])
    expect(await problemsOf(pause, undefined)).toEqual([problem])
  })
})

describe('the timeout', () => {
  const given = { 'poll-interval': '5s', 'fail-on': '' }
  const problem =
    'expected a duration of 1ms or more, found 0s; to start a run without waiting for it, use the action start, and check the run later with the action wait and timeout: 0s'

  it.each(['0s', '0h0m'])('may be %s in wait only', async (timeout) => {
    expect(await outcome(waiting, { ...given, timeout })).toMatchObject({ timeout: 0 })
    expect(await problemsOf(waitingForStarts, { ...given, timeout })).toEqual([problem])
  })

  it.each([waiting, waitingForStarts])('is at most 24 days', async (schema) => {
    const day = 24 * hour
    expect(await outcome(schema, { ...given, timeout: '576h' })).toMatchObject({
      timeout: 24 * day,
    })
    expect(await problemsOf(schema, { ...given, timeout: '577h' })).toEqual([
      'expected a duration from 0s to 576h, found "577h"',
    ])
  })
})

describe('fail-on', () => {
  it.each([
    ['error', ['error']],
    ['error, container-error,stopped', ['error', 'container-error', 'stopped']],
    ['timed-out\nerror\r\n', ['timed-out', 'error']],
    [' , ,error,,error', ['error']],
    ['', []],
    [' \n', []],
  ])('%j fails the step on %j', async (text, conclusions) => {
    expect(await outcome(failOn, text)).toEqual(new Set(conclusions))
  })

  it.each([',', ' ,\n,', '\u00a0', '\ufeff'])('is not empty if it is %j', async (text) => {
    expect(await problemsOf(failOn, text)).toEqual([
      expect.stringMatching(/^expected any of error, .* \(or nothing\), found "/),
    ])
  })

  it('names an invisible word', async () => {
    expect(await problemsOf(failOn, '\ufeff')).toEqual([
      expect.stringMatching(/, found "\\u\{feff\}"$/),
    ])
  })

  it('names each unknown word and lists the known ones', async () => {
    expect(await problemsOf(failOn, 'eror, stopped, none')).toEqual([
      'expected any of error, container-error, stopped, timed-out, invalid-result (or nothing), found "eror", "none"',
    ])
  })

  it('does not read a missing text as "none", because failed runs would turn green', async () => {
    expect(await problemsOf(failOn, undefined)).toEqual([
      'not given, although action.yml has a default; the runner did not pass the default',
    ])
  })
})
