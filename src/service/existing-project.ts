/** Whether an error says that the account has a project of that name already. */
import type { HttpError } from './errors.ts'

// The text is a sentence or two; the bound limits the work on any other.
const maxLength = 4_000

/**
 * Whether a failed creation says that the project exists. The service has no code for this case: it
 * is a 400 whose `message` says so in words that may vary. One sentence must have both "already
 * exists" and the name as a whole word. Source: docs/service.md, "Create a project".
 */
export function saysProjectExists(
  { status, key, words }: Pick<HttpError, 'status' | 'key' | 'words'>,
  name: string,
): boolean {
  if (status !== 400 || key !== 'message') return false
  // Not a part of a longer word, such as `reports-2`, `reports.old` or `python-3.12`.
  const word = new RegExp(
    `(?<![\\p{L}\\p{N}_./@-])${name}(?![\\p{L}\\p{N}_/@-]|\\.[\\p{L}\\p{N}])`,
    'u',
  )
  const sentences = words.slice(0, maxLength).split(/[.!?](?=\s|$)|[;\r\n]/)
  return sentences.some((sentence) => /\balready exists\b/i.test(sentence) && word.test(sentence))
}
