/**
 * The text of an error answer, whatever its form. Three members are documented; what malformed
 * input brings is not known: web frameworks send plain text, lists and nested objects.
 * Source: docs/service.md, "Errors".
 */
import { errorBodySchema, type ErrorWords } from './contract.ts'

/**
 * The text of an error answer, in full length. Redact before truncating: a truncated secret no
 * longer matches.
 *
 * @param json the body parsed; undefined where it is not JSON
 */
export function errorWordsOf(json: unknown, body: string): ErrorWords {
  if (json === undefined) return { key: undefined, words: wordsOfText(body) }
  const documented = errorBodySchema.safeParse(json).data
  if (documented?.key) return documented
  return { key: undefined, words: wordsOfJson(json) }
}

function wordsOfText(body: string): string {
  return body.trimStart().startsWith('<') ? titleOf(body) : body.trim()
}

// The title of a web page is its only part worth showing, and stands near its beginning.
const searchedForTitle = 4_096

function titleOf(page: string): string {
  return /<title[^<>]*>([^<>]*)</i.exec(page.slice(0, searchedForTitle))?.[1]?.trim() ?? ''
}

// More than a person reads. Both bound the work on an answer made to be large or deep.
const maxTexts = 100
const maxDepth = 8

/** Every text in it, each after the path that leads there: `webhook: Enter a valid URL.` */
function wordsOfJson(json: unknown): string {
  const texts: string[] = []
  collectTexts(json, [], texts)
  return texts.join('; ')
}

function collectTexts(part: unknown, names: readonly string[], texts: string[]): void {
  if (texts.length >= maxTexts || names.length > maxDepth) return
  if (typeof part === 'object' && part !== null) {
    for (const [name, inner] of Object.entries(part)) {
      // An index in a list is not shown.
      collectTexts(inner, Array.isArray(part) ? [...names, ''] : [...names, name], texts)
    }
    return
  }
  if (typeof part !== 'string' && typeof part !== 'number' && typeof part !== 'boolean') return
  const text = String(part).trim()
  if (text === '') return
  const path = names.filter((name) => name !== '').join('.')
  texts.push(path === '' ? text : `${path}: ${text}`)
}
