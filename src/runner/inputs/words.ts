import type { z } from 'zod/mini'
import { quote, refuse } from './text.ts'

/** Reads words of a list, separated by commas or line breaks, as a set; none of an empty text. */
export function wordsOutOf<const Word extends string>(known: readonly Word[], expected: string) {
  return (text: string, context: z.core.ParsePayload): ReadonlySet<Word> => {
    const words = text
      .split(/[,\r\n]/)
      .map((word) => word.trim())
      .filter((word) => word !== '')
    const isKnown = (word: string): word is Word => known.some((other) => other === word)
    const unknown = words.filter((word) => !isKnown(word))
    if (unknown.length > 0) {
      return refuse(context, `expected words out of ${expected}, found ${listOf(unknown)}`)
    }
    return new Set(words.filter(isKnown))
  }
}

/** The first few words: an annotation has room for some only. */
function listOf(words: readonly string[]): string {
  const shown = words.slice(0, 5).map(quote).join(', ')
  return words.length > 5 ? `${shown} and ${words.length - 5} more` : shown
}
