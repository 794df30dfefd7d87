/** Texts that make a careless reader slow, by name; each is made to any length. */
export const hostileTexts: Record<string, (length: number) => string> = {
  'one long line': repeat('x'),
  'a JSON list, cut in a string of escapes': (length) =>
    `[{"a":11},"${'\\"'.repeat(length / 2)}`.slice(0, length | 1),
  backslashes: repeat('\\'),
  'escapes of JSON': repeat('\\u0061'),
  quotes: repeat('"'),
  'brackets that open': repeat('['),
  'brackets that open and close': (length) => '['.repeat(length / 2) + ']'.repeat(length / 2),
  'a JSON list of rows': jsonList('{"day":"2026-01-01","runs":12}'),
  'a JSON list of lists': jsonList('[1,"a"]'),
  'a JSON list of numbers': jsonList('1'),
  'a JSON list of strings': jsonList('"a\\u001b[1mb"'),
  'a JSON row with many keys': (length) =>
    `[{${Array.from({ length: length / 16 }, (_, at) => `"key${at}":${at}`).join(',')}}]`,
  'nested JSON': (length) => `{"a":${'['.repeat(900)}"${'x'.repeat(length)}"${']'.repeat(900)}}`,
  'lines of a traceback': repeat('  File "report.py", line 12, in main\n'),
  'beginnings of a traceback': repeat('File "'),
  'one frame and all its lines': (length) =>
    `  File "a.py", line 1\n${'    x\n'.repeat(length / 6)}`,
  'bars of an exception group': repeat('  | '),
  'words of errors': repeat('0 errors: no error '),
  timestamps: repeat('2026-01-01T00:00:00.000Z INFO '),
  digits: repeat('python3'),
  colours: repeat('\u001b[31m'),
  'colours that never end': repeat('\u001b[1;'),
  'window titles that never end': repeat('\u001b]0;title'),
  'escape characters': repeat('\u001b'),
  'carriage returns': repeat('\r'),
  'a progress bar': repeat('\r50 % done'),
  'a progress bar of shrinking states': (length) => {
    const states = Math.floor(Math.sqrt(2 * length))
    return Array.from({ length: states }, (_, at) => 'x'.repeat(states - at)).join('\r')
  },
  'combining characters': repeat('\u0301'),
  'characters of no width': repeat('\u200b'),
  families: repeat('👩‍👩‍👧'),
  flags: repeat('🇩🇪'),
  'half characters': repeat('\ud83d'),
  spaces: repeat(' '),
  'blank lines': repeat('\n'),
  commands: repeat('##[error]::error::\n'),
  markup: repeat('<&"\'$@#>'),
  'almost a secret': repeat('a'),
}

function repeat(part: string): (length: number) => string {
  return (length) => part.repeat(Math.ceil(length / part.length))
}

function jsonList(element: string): (length: number) => string {
  return (length) =>
    `[${Array<string>(Math.ceil(length / (element.length + 1)))
      .fill(element)
      .join(',')}]`
}
