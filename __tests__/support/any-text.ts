import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }
const last = 0x10ffff - surrogates.count

/**
 * Generates any character of Unicode. The unit `binary` of fast-check's strings does the same, but
 * makes a table of a million entries at its first use.
 */
const character = fc.integer({ min: 0, max: last }).map(
  (index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count),
  (value) => {
    const point = typeof value === 'string' ? value.codePointAt(0) : undefined
    if (point === undefined || value !== String.fromCodePoint(point)) throw new TypeError('no unit')
    return point < surrogates.first ? point : point - surrogates.count
  },
)

/** Generates any well-formed text. */
export const anyText = (constraints: fc.StringSharedConstraints = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: character })
