/**
 * Returns the pairs of a command file (GITHUB_OUTPUT, GITHUB_STATE, GITHUB_ENV). A pair is a line
 * `name=value`, or the lines `name<<delimiter`, the value, `delimiter`. If a name occurs twice, the
 * last value counts.
 *
 * @throws Error if the format is wrong. The runner then ignores the whole file.
 */
export function parseCommandFile(text: string): Record<string, string> {
  const pairs: Record<string, string> = {}
  // A runner on Windows also accepts `\r\n` as the end of a line.
  const lines = text.split(process.platform === 'win32' ? /\r?\n/ : '\n')
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (line === '') continue
    const equals = line.indexOf('=')
    const heredoc = line.indexOf('<<')
    if (heredoc >= 0 && (equals < 0 || heredoc < equals)) {
      const name = line.slice(0, heredoc)
      const delimiter = line.slice(heredoc + 2)
      if (name === '' || delimiter === '')
        throw new Error(`Invalid format '${line}'. Name and delimiter must not be empty`)
      const end = lines.indexOf(delimiter, index + 1)
      if (end < 0) throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`)
      pairs[name] = lines.slice(index + 1, end).join('\n')
      index = end
    } else if (equals > 0) pairs[line.slice(0, equals)] = line.slice(equals + 1)
    else throw new Error(`Invalid format '${line}'`)
  }
  return pairs
}
