/**
 * Cleans untrusted texts, such as logs, results and names. A cleaned text cannot be a workflow
 * command, move a terminal's cursor, or change the reading direction of other text.
 */
import { cut } from '../../cut.ts'

const escape = String.fromCharCode(0x1b)
const bell = String.fromCharCode(0x07)
// A sequence has a maximum length. Otherwise, a sequence without an end would remove a whole log.
const titleSequence = `\\][^${bell}${escape}\\r\\n]{0,2000}(?:${bell}|${escape}\\\\)`
const ansiSequence = new RegExp(
  `${escape}(?:\\[[0-?]*[ -/]*[@-~]?|${titleSequence}|[()*+#%][0-~]|[=>78cDEHMNOPXZ^_\\]])?`,
  'g',
)
// Matches control characters (except tabs and line breaks) and invisible characters. The two joiners
// do not match, because emoji and the words of some languages need them.
const unseen =
  /[^\t-\r -~\u0085\u00a0-\u{10ffff}]|[[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\u200c\u200d]]/gv
const whiteSpace = /[\t\n\v\f\r\u0085\u2028\u2029]+/g
const lineBreak = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const legacyCommand = /##\[/g
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Removes terminal sequences and invisible characters. A lone surrogate becomes `�`. */
export function clean(text: string): string {
  return text.toWellFormed().replace(ansiSequence, '').replace(unseen, '')
}

/**
 * Returns one clean line of at most `limit` UTF-16 units. A cut line ends with `…`. Redact the text
 * before this call, because a cut secret is not recognised.
 */
export function inline(text: string, limit: number): string {
  return cut(flatten(text), limit)
}

/** Returns one clean line: no control characters, no line break, no `##[`, no leading `::`. */
export function flatten(text: string): string {
  return clean(text)
    .replace(whiteSpace, ' ')
    .trim()
    .replace(legacyCommand, '# #[')
    .replace(/^::/, ': :')
}

/** Removes full stops and colons at the end, because the sentence around the words has its own. */
export function unpunctuated(words: string): string {
  return words.replace(/[.:\s]+$/, '')
}

/** Returns clean lines. A carriage return also ends a line. A line can be a workflow command. */
export function lines(text: string): string[] {
  return clean(text).replace(lineBreak, '\n').split('\n')
}

/** Escapes a text for HTML and XML. The escaped text contains no `]]>`. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
