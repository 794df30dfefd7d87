import { describe, expect, it } from '@jest/globals'
import { findCause } from '../../../src/cause/find-cause.ts'

const log = (...lines: string[]): string => lines.join('\n')
describe('the cause of a failed run is', () => {
  it.each([
    ['/usr/local/lib/python3.12/json/decoder.py'],
    ['/app/.venv/lib/python3.13/site-packages/requests/models.py'],
    ['/usr/lib/python3/dist-packages/yaml/reader.py'],
    ['C:\\hosted\\Python312\\Lib\\json\\decoder.py'],
    ['<frozen importlib._bootstrap>'],
    ['site-packages/requests/models.py'],
    ['pandas/_libs/parsers.pyx'],
    ['pandas/_libs/hashtable.pxi'],
    ['C:\\hosted\\Python\\3.12.1\\x64\\Lib\\json\\decoder.py'],
    ['/usr/lib/python3.13t/json/decoder.py'],
    ['/usr/lib/python3/json/decoder.py'],
    ['D:/Python312/Lib/json/decoder.py'],
  ])('placed in the last own file, not in %s', (library) => {
    const cause = findCause(
      log(
        'Traceback (most recent call last):',
        '  File "C:\\jobs\\report.py", line 12, in fetch',
        '    load()',
        `  File "${library}", line 355, in inside`,
        '    more()',
        'KeyError: 1',
      ),
    )

    expect(cause).toEqual({ text: 'KeyError: 1', frame: { file: 'C:\\jobs\\report.py', line: 12 } })
  })
})

describe('if no line reads like an error', () => {
  it.each([[''], ['\n \n\t\n']])('an empty log (%j) has no cause', (text) => {
    expect(findCause(text)).toBeUndefined()
  })
})

describe('logs of any shape are read with bounded work', () => {
  const traceback = 'Traceback (most recent call last):\n  File "x.py", line 3\nE: 1\n'

  it.each([
    ['one long line', 'x'.repeat(1_000_000)],
    ['blank lines', '\n'.repeat(20_000)],
    ['carriage returns', '\r'.repeat(1_000_000)],
    ['frames without an end', '  File "x.py", line 3\n'.repeat(20_000)],
    ['a frame that never closes', '  File "'.repeat(100_000)],
    ['tracebacks', traceback.repeat(5_000)],
    ['handled tracebacks', `WARNING x\n${traceback.repeat(5_000)}INFO x`],
    ['noise without an end', '--- Logging error ---\n'.repeat(20_000)],
    ['fatal errors', 'Fatal Python error: x\n\n'.repeat(10_000)],
    ['a nested object', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['broken objects', '{"a":x}\n'.repeat(20_000)],
    ['bars', `${'|'.repeat(1_990)}\n`.repeat(200)],
    ['escapes', '\u001b['.repeat(300_000)],
    ['words of errors', 'no error'.repeat(100_000)],
  ])('%s', (_shape, text) => {
    expect((findCause(text)?.text ?? '').length).toBeLessThanOrEqual(12_010)
  })
})
