/** Writes numbers, durations and sizes for people. */

/** Returns a number and its noun, such as `1 check` or `2 checks`. */
export function describeCount(amount: number, noun: string): string {
  return `${amount} ${amount === 1 ? noun : `${noun}s`}`
}

/** Returns milliseconds as `7 ms`, `0.4 s`, `8 s`, `2 min 10 s`, `1 h 5 min` or `2 d 3 h`. */
export function describeElapsed(span: number): string {
  if (span > 0 && span < 50) return `${Math.ceil(span)} ms`
  if (span > 0 && span < 9_950) return `${Math.round(span / 100) / 10} s`
  const seconds = Math.round(Math.max(0, span) / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  if (hours >= 24) return pair(Math.floor(hours / 24), 'd', hours % 24, 'h')
  if (hours > 0) return pair(hours, 'h', minutes % 60, 'min')
  if (minutes > 0) return pair(minutes, 'min', seconds % 60, 's')
  return `${seconds} s`
}

/** Says that a request got no answer within `span` milliseconds. */
export function noAnswerWithin(span: number): string {
  return `no answer within ${describeElapsed(span)}`
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}

/** Returns a size, such as `812 bytes`, `1.4 KiB` or `3 MiB`. */
export function describeSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  const units = ['KiB', 'MiB', 'GiB', 'TiB']
  // From 1023.5 KiB on, the rounded amount would be 1024.
  const exponent = Math.min(units.length, Math.floor(Math.log2(bytes * (1024 / 1023.5)) / 10))
  const amount = bytes / 1024 ** exponent
  return `${amount < 10 ? Math.round(amount * 10) / 10 : Math.round(amount)} ${units[exponent - 1]}`
}
