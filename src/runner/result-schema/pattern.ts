/** Finds errors in regular expressions, which ajv compiles with the flag `u`. */
import { messageOf } from '../../errors.ts'

const escapes = /\\(.)/gsu
const sets = /\[(?:\\.|[^\]\\])*\]/gsu
/** Matches a character that must not follow a backslash if a pattern has the flag `u`. */
const plainCharacter = /[^\p{L}\p{N}^$\\.*+?()[\]{}|/]/u

/** Describes the error of a pattern. Returns undefined if the pattern can be compiled. */
export function findPatternProblem(pattern: unknown): string | undefined {
  if (typeof pattern !== 'string') return 'expected a string'
  try {
    new RegExp(pattern, 'u')
    return undefined
  } catch (error) {
    const why = messageOf(error).split('/u: ').at(-1) ?? ''
    // In a character class, such as [a\-z], a backslash before a hyphen is allowed.
    const text = pattern.replaceAll(sets, (set) => set.replaceAll('\\-', ''))
    const escaped = [...text.matchAll(escapes)].map(([, character = '']) => character)
    const wrong = escaped.find((each) => plainCharacter.test(each))
    const isNoEscape = why === 'Invalid escape' && wrong !== undefined
    const words = isNoEscape ? `"\\${wrong}" is not an escape: write "${wrong}"` : why
    return `expected a regular expression (${words})`
  }
}
