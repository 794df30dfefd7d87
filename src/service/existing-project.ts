/** Whether an error says that the account has a project of that name already. */
import type { HttpError } from './errors.ts'

// The text is a sentence or two; the bound limits the work on any other.
const maxLength = 4_000

const exists = /\balready exist/i
// "must not already exist", "it could not be checked whether it already exists".
const leavesOpen =
  /\b(?:not|never|n't|n’t)\s+already exist|\b(?:if|unless|until|whether)\b.*already exist/i
/** What else a 400 of this route is about: region, image, plan. docs/service.md, "Errors". */
const otherSubject =
  /\b(?:regions?|images?|containers?|docker|runtimes?|versions?|projects)\b.*already exist/i
const planLimit = /\b(?:plans?|upgrade|limit|maximum|quota|subscription)\b/i

/** Words that such a text is made of: in it, they are seldom the name of a project. */
const ordinaryWords = new Set(
  (
    'a an the this that these it its is are was one by for from in of on to with and or not no be ' +
    'project projects name names named called existing exist exists already taken used same another ' +
    'other new you your user account there has have can could cannot choose please error selected ' +
    'supported region regions image images container docker runtime version versions plan plans ' +
    'limit maximum upgrade'
  ).split(' '),
)

/**
 * Whether a failed creation says that the project exists. The service has no code for this case: it
 * is a 400 whose `message` says, in words that may vary, that a project of this name exists. Both
 * must stand in one sentence, with the name used as the name of a project; in doubt the answer is
 * no. Source: docs/service.md, "Create a project".
 */
export function saysProjectExists(
  { status, key, words }: Pick<HttpError, 'status' | 'key' | 'words'>,
  name: string,
): boolean {
  if (status !== 400 || key !== 'message') return false
  const sentences = words.slice(0, maxLength).split(/[.!?](?=\s|$)|[;\r\n]/)
  return sentences.some((sentence) => saysSo(sentence, name))
}

function saysSo(sentence: string, name: string): boolean {
  if (!exists.test(sentence) || leavesOpen.test(sentence)) return false
  // Not a part of a longer word, such as `reports-2`, `reports.old` or `python-3.12`.
  const word = `(?<![\\p{L}\\p{N}_./@-])${name}(?![\\p{L}\\p{N}_/@-]|\\.[\\p{L}\\p{N}])`
  const has = (pattern: string) => new RegExp(pattern, 'u').test(sentence)
  if (ordinaryWords.has(name)) {
    const naming = '(?:[Pp]roject|[Nn]amed?|[Cc]alled)'
    return (
      has(`(["'\`])${word}\\1|[“‘«]${word}[”’»]`) || has(`${naming}\\s+${word}\\s+already exist`)
    )
  }
  if (otherSubject.test(sentence) || planLimit.test(sentence)) {
    const project = '(?<!\\b(?:of|for|in)\\s(?:the\\s|your\\s)?)[Pp]rojects?'
    const between = '(?:\\s+(?:with|by|of|the|a|this|named?|called))*[\\s:=("\'`“‘«]+'
    return has(`${project}${between}${word}`)
  }
  return has(word)
}
