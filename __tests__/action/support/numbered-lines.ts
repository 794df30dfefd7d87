/** True if the lines of a `big-export` are numbered from 0 without gaps or repetitions. */
export function isNumbered(bytes: Buffer): boolean {
  const lines = bytes.toString().trimEnd().split('\n')
  return lines.every((line, row) => Number(line.split(',')[1]) === row)
}
