import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  artifactName,
  boolean,
  credential,
  duration,
  executionId,
  failOn,
  line,
  oneOf,
  parseDuration,
  pathSegment,
  projectName,
  quote,
  retryOn,
  timeoutAboveZero,
  wholeNumber,
  type Reading,
} from '../../../../src/runner/inputs/readings.ts'
import { problemsOf } from './problems.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const pause = duration('100ms', '1h')
const word = oneOf('fail', 'skip')
const days = wholeNumber(1, 400)

describe('a text is read as a value', () => {
  it.each<[string, Reading<unknown>, string, unknown]>([
    ['a line', line, 'Ünïcode 😀', 'Ünïcode 😀'],
    ['a credential', credential, '~ !"x', '~ !"x'],
    ['one of a few words', word, 'skip', 'skip'],
    ['true', boolean, 'true', true],
    ['true', boolean, 'TRUE', true],
    ['false', boolean, 'False', false],
    ['false', boolean, 'FALSE', false],
    ['a number at its lower bound', days, '1', 1],
    ['a number', days, '090', 90],
    ['a number at its upper bound', days, '400', 400],
    ['a duration at its lower bound', pause, '100ms', 100],
    ['a duration at its upper bound', pause, '1h', hour],
    ['the longest timeout', timeoutAboveZero, '576h', 24 * day],
    ['the shortest timeout', timeoutAboveZero, '1ms', 1],
    ['no conclusion', failOn, 'none', new Set()],
    ['a conclusion', failOn, 'error', new Set(['error'])],
    ['conclusions', failOn, 'error, stopped,error', new Set(['error', 'stopped'])],
    ['conclusions on lines', failOn, 'timed-out\n\nerror\r\n', new Set(['timed-out', 'error'])],
    ['an outcome', retryOn, ' , ,error,,', new Set(['error'])],
    ['an artifact name', artifactName, 'report of Monday (1)', 'report of Monday (1)'],
    ['an artifact name with two dots', artifactName, '..a', '..a'],
    ['a long artifact name', artifactName, 'x'.repeat(260), 'x'.repeat(260)],
    ['a name', pathSegment, 'a/b?c#d%2e 👩\u200d💻', 'a/b?c#d%2e 👩\u200d💻'],
    ['an execution id', executionId, `a/b"c:d'`, `a/b"c:d'`],
    ['the name of a project', projectName, 'reports_2-a', 'reports_2-a'],
  ])('%s: %3$j', (_, read, text, value) => {
    expect(read(text)).toEqual(value)
  })
})

describe('a text is refused, and the problem says what was expected and found', () => {
  const oneLine =
    'expected one line of text without control characters, found a line break or another control character'
  const ascii =
    'expected one line of printable ASCII characters, found a line break, a control character or a non-ASCII character; copy the value again'
  const artifact =
    'expected a name of at most 260 characters, without any of " : < > | * ? \\ /, other than . and .., found '
  const anyConclusion =
    'expected any of error, container-error, stopped, timed-out, invalid-result, or none alone, found '
  const anyOutcome = 'expected any of error, container-error, invalid-result, found '
  const project =
    'expected lowercase letters, digits, hyphens and underscores, starting with a letter or a digit (^[a-z0-9][a-z0-9_-]*$), found '
  const timeoutZero =
    'expected a duration of 1ms or more, found 0s; to start a run without waiting for it, use the action start, and check the run later with the action wait and timeout: 0s'

  it.each<[Reading<unknown>, string, string]>([
    ...['a\nb', 'a\rb', 'a\u2028b', 'a\u0007'].flatMap(
      (text): [Reading<unknown>, string, string][] =>
        [line, pathSegment, projectName, artifactName].map((read) => [read, text, oneLine]),
    ),
    [credential, 'two\nlines', ascii],
    [credential, 'bell\u0007', ascii],
    [credential, 'clé', ascii],
    [credential, '"abcd"', 'is in quotes, which would be sent too; remove the quotes'],
    [word, 'Skip', 'expected one of fail, skip, found "Skip"'],
    [word, 'toString', 'expected one of fail, skip, found "toString"'],
    ...['yes', 'on', '1', 'tRUE', 'truethy', 'atrue', 'falsey', 'afalse', 'null'].map(
      (text): [Reading<unknown>, string, string] => [
        boolean,
        text,
        `expected true or false, found "${text}"`,
      ],
    ),
    ...['0', '401', '-1', '1.5', '1e2', '0x10', 'ninety', '７'].map(
      (text): [Reading<unknown>, string, string] => [
        days,
        text,
        `expected a whole number from 1 to 400, found "${text}"`,
      ],
    ),
    ...['99ms', '61m', '0s'].map((text): [Reading<unknown>, string, string] => [
      pause,
      text,
      `expected a duration from 100ms to 1h, found "${text}"`,
    ]),
    [pause, '10x', 'expected a duration such as 250ms, 90s, 10m or 1h30m, found "10x"'],
    [pause, '5s30', 'expected a duration such as 250ms, 90s, 10m or 1h30m, found "5s30"'],
    [pause, '05', 'expected a duration with a unit: write 05s or 05m, found "05"'],
    [pause, '30', 'expected a duration with a unit: write 30s or 30m, found "30"'],
    [pause, '86400', 'expected a duration with a unit: write 86400ms or 86400s, found "86400"'],
    [pause, '00', 'expected a duration with a unit: write 0s, found "00"'],
    [timeoutAboveZero, '0s', timeoutZero],
    [timeoutAboveZero, '0h0m', timeoutZero],
    [timeoutAboveZero, '600h', 'expected a duration from 1ms to 576h, found "600h"'],
    [failOn, 'eror, stopped', `${anyConclusion}"eror"`],
    [failOn, 'none, error', `${anyConclusion}"none"`],
    [failOn, 'a, b', `${anyConclusion}"a", "b"`],
    [failOn, ',\n,', `${anyConclusion}",\\n,"`],
    [failOn, '\u200b', `${anyConclusion}"\\u{200b}"`],
    ...['none', 'stopped', 'timed-out', 'Error'].map((text): [Reading<unknown>, string, string] => [
      retryOn,
      `error, ${text}`,
      `${anyOutcome}"${text}"`,
    ]),
    ...[
      ...Array.from('":<>|*?\\/', (character) => `a${character}b`),
      '.',
      '..',
      'x'.repeat(261),
    ].map((text): [Reading<unknown>, string, string] => [
      artifactName,
      text,
      artifact + quote(text),
    ]),
    [pathSegment, '.', '"." is not a name; give one other than . and ..'],
    ...['"3fa85f64"', "'3fa85f64'", 'https://example.com/runs/3fa85f64'].map(
      (text): [Reading<unknown>, string, string] => [
        executionId,
        text,
        `expected the execution id alone, without quotes and without an address, found ${quote(text)}`,
      ],
    ),
    [projectName, 'Reports', `${project}"Reports"`],
    [projectName, '..', '".." is not a name; give one other than . and ..'],
  ])('%2$j', (read, text, problem) => {
    expect(problemsOf(read, text)).toEqual([problem])
  })
})

describe('a duration', () => {
  it.each([
    ...['', '90', '10x', '10 m', '1.5h', '-5s', '1e3', 's', 'h1', '10M', '30m1h', '5s5s', '1h30'],
    ...['５s', '5s\n', '9007199254740992ms', '99999999999999999999h'],
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
})

describe('a value in a problem', () => {
  it.each([
    ['10x', '"10x"'],
    ['say "hi"\n', '"say \\"hi\\"\\n"'],
    ['\u001b[31mred\u0085\u2028', '"\\u001b[31mred\\u{85}\\u{2028}"'],
    ['\u202etxt.exe\u2066', '"\\u{202e}txt.exe\\u{2066}"'],
    ['\u200b', '"\\u{200b}"'],
  ])('%j reads %s', (value, shown) => {
    expect(quote(value)).toBe(shown)
  })
})
