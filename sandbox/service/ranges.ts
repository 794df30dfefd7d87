/** Bytes `start` to `end`, both included. */
export interface Span {
  start: number
  end: number
}

/**
 * The one range a Range header asks for: undefined when it asks for none that is understood (then
 * the whole is the answer, RFC 9110 14.2), `unsatisfiable` when it lies outside.
 */
export function readRange(
  header: string | undefined,
  length: number,
): Span | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match) return undefined
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return undefined
  if (first === '') return suffix(Number(last), length)
  const start = Number(first)
  const end = last === '' ? length - 1 : Math.min(Number(last), length - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= length ? 'unsatisfiable' : { start, end }
}

function suffix(size: number, length: number): Span | 'unsatisfiable' {
  if (size === 0 || length === 0) return 'unsatisfiable'
  return { start: Math.max(0, length - size), end: length - 1 }
}
