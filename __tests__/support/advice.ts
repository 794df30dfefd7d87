/** Returns each advice with more than 30 words, which people do not read to its end. */
export function longAdvice(hints: readonly string[]): string[] {
  return hints.filter((hint) => hint.replace('Next: ', '').split(/\s+/).length > 30)
}
