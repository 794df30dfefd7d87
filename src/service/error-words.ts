/**
 * What a refusal says, whatever its shape. The document shows three keys ("Errors") and leaves open
 * what malformed input brings: plain text, lists and nested objects are what web frameworks send.
 */
import { errorBodySchema, type ErrorWords } from './contract.ts'

/**
 * `json`: the body parsed; undefined where it is no JSON. The words are never cut here, since
 * secrets are taken out of them first: half a secret is one that nobody finds.
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

// Of a web page the heading tells what there is to tell; it stands near the page's beginning.
const longestHead = 4_096

function titleOf(page: string): string {
  return /<title[^<>]*>([^<>]*)</i.exec(page.slice(0, longestHead))?.[1]?.trim() ?? ''
}

// More than a person reads; both bound the work on an answer made to be large or deep.
const mostTexts = 100
const deepest = 8

/** Every text in it, behind the names that lead there: `webhook: Enter a valid URL.` */
function wordsOfJson(json: unknown): string {
  const texts: string[] = []
  collectTexts(json, [], texts)
  return texts.join('; ')
}

function collectTexts(part: unknown, names: readonly string[], texts: string[]): void {
  if (texts.length >= mostTexts || names.length > deepest) return
  if (typeof part === 'object' && part !== null) {
    for (const [name, inner] of Object.entries(part)) {
      // The place in a list tells nothing.
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
