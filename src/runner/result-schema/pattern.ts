/** Finds what is wrong with a regular expression, which ajv compiles with the flag `u`. */
import { messageOf } from '../../errors.ts'

const escapes = /\\(.)/gsu
const sets = /\[(?:\\.|[^\]\\])*\]/gsu
/** A character that has no meaning in a pattern. With the flag `u`, its escape is an error. */
const plainCharacter = /[^\p{L}\p{N}^$\\.*+?()[\]{}|/]/u

/** Returns what was expected, or undefined if the pattern can be compiled. */
export function findPatternProblem(pattern: unknown): string | undefined {
  if (typeof pattern !== 'string') return 'expected a string'
  try {
    new RegExp(pattern, 'u')
    return undefined
  } catch (error) {
    const why = messageOf(error).split('/u: ').at(-1) ?? ''
    // Within a set, such as [a\-z], the escape of a hyphen is right.
    const text = pattern.replaceAll(sets, (set) => set.replaceAll('\\-', ''))
    const escaped = [...text.matchAll(escapes)].map(([, character = '']) => character)
    const wrong = escaped.find((each) => plainCharacter.test(each))
    const isNoEscape = why === 'Invalid escape' && wrong !== undefined
    const words = isNoEscape ? `"\\${wrong}" is not an escape: write "${wrong}"` : why
    return `expected a regular expression (${words})`
  }
}
