import { z } from 'zod'
import { quote, refuse } from './text.ts'

/** The conclusions that fail a step only when it asks for that; the others always do. */
export const failingConclusions = ['error', 'container-error', 'stopped', 'timed-out'] as const
export type FailingConclusion = (typeof failingConclusions)[number]

/**
 * Words separated by commas or line breaks; none when empty. A text that is not given at all is
 * refused: reading it as empty would turn failed runs green.
 */
export const failOn = z
  .string('not given at all, although action.yml has a default; the runner did not pass it on')
  .transform((text, context): ReadonlySet<FailingConclusion> => {
    const words = text
      .split(/[,\r\n]/)
      .map((word) => word.trim())
      .filter((word) => word !== '')
    const unknown = words.filter((word) => !isFailingConclusion(word))
    if (unknown.length > 0) {
      return refuse(
        context,
        `expected words out of ${failingConclusions.join(', ')} (or nothing), found ${listOf(unknown)}`,
      )
    }
    return new Set(words.filter(isFailingConclusion))
  })

/** The first few words: an annotation has room for some only. */
function listOf(words: readonly string[]): string {
  const shown = words.slice(0, 5).map(quote).join(', ')
  return words.length > 5 ? `${shown} and ${words.length - 5} more` : shown
}

function isFailingConclusion(word: string): word is FailingConclusion {
  return failingConclusions.some((conclusion) => conclusion === word)
}
