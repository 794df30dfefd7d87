import { describe, expect, it } from '@jest/globals'
import { findCause } from '../../../src/cause/find-cause.ts'

const readsLikeError = (line: string) => findCause(`${line}\nbye`)?.text === line.trim()

describe('a line reads like an error', () => {
  it.each([
    ['error'],
    ['an ERROR occurred'],
    ['fatal: no space'],
    ['panic: nil'],
    ['uncaught exception'],
    ['critical: disk'],
    ['Killed'],
    ['the job failed'],
    ['failure of a disk'],
    ['out of memory'],
    ['Segmentation fault (core dumped)'],
    ['abort'],
    ['aborted by a signal'],
    // Messages of shells.
    ['run.sh: line 5: csvcut: command not found'],
    ['/app/start: 5: HOST: parameter not set'],
    ['sh: 1: csvcut: not found'],
    ['run.sh: line 15: HOST: unbound variable'],
    ['dash: 15: HOST: parameter not set'],
    ['"error": 5 rows are bad'],
    ['  × No solution found'],
    ['/app/my start: 5: x is not a shell, but says error'],
    // Names of exceptions.
    ['ValueError'],
    ['RowsException in main'],
    ['sqlite3.OperationalError'],
    // Lines that resemble "no error".
    ['exit code 10 failure'],
    ['piano failure'],
    ['failed = nobody knows why'],
    ['without an error'],
    // Lines with words of stacks or log levels.
    ['the step failed at startup'],
    ['error in File "x"'],
    ['failed: info was missing'],
    ['informed of an error'],
  ])('by its words: %s', (line) => {
    expect(readsLikeError(line)).toBe(true)
  })
})

describe('a line does not read like an error', () => {
  it.each([
    // Lines that say that there is no error.
    ['no error'],
    ['0 failure'],
    ['zero exception'],
    ['no failures and no exception'],
    ['without failure'],
    ['without any exception'],
    ['error: 0'],
    ['error=none'],
    ['failed: false'],
    ['failure :null'],
    ['failure = 0'],
    ['12 ok, 0 failed'],
    ['exceptions: 0'],
    ['exception=0'],
    ['failed 0'],
    ["{'ERROR': 3}"],
    ["'ERROR': 12"],
    ['"failed": 0'],
    [" 'log_count/ERROR': 3,"],
    // Names of files.
    ['wrote error_log'],
    ['wrote out/error.log'],
    ['wrote error/2.csv'],
    ['wrote RowError.csv'],
    ['the sign × in a line'],
    ['at run: line 5: bye'],
    ['step: 5: bye'],
    // Lines with a harmless level.
    ['shop - WARNING - the page failed'],
    ['DEBUG an error, ignored'],
    ['trace: error 5'],
    ['[03:00:00] info error 5'],
    ['notice: error 5'],
    // Frames of a stack.
    ['at fail (/app/error.js:3:9)'],
    ['    at fail (/app/error.js:3:9)'],
    ['\t... 12 more of this error'],
    ['... 3 common frames of the error'],
    ['  File "/app/error.py"'],
    ['goroutine 17 [fatal error]:'],
    ['created by main.panic'],
    // Commands that a shell shows.
    ["+ echo 'the step failed'"],
    ['++ report --error'],
  ])('by its words: %s', (line) => {
    expect(readsLikeError(line)).toBe(false)
  })

  it.each([['terrors'], ['errored'], ['an erroneous row'], ['bye']])(
    'if such a word is only a part of another: %s',
    (line) => {
      expect(findCause(line)).toEqual({ text: line, isLastLine: true })
    },
  )
})
