/**
 * Cleans texts from outside (logs, results, messages, names). A cleaned text cannot be a workflow
 * command, move a terminal's cursor, or change the order in which text is read. The files on disk
 * stay unchanged.
 */
import { cut } from '../../cut.ts'

const escape = String.fromCharCode(0x1b)
const bell = String.fromCharCode(0x07)
// A title sequence that never ends must not swallow the rest of a log, hence the bound.
const titleSequence = `\\][^${bell}${escape}\\r\\n]{0,2000}(?:${bell}|${escape}\\\\)`
const ansiSequence = new RegExp(
  `${escape}(?:\\[[0-?]*[ -/]*[@-~]?|${titleSequence}|[()*+#%][0-~]|[=>78cDEHMNOPXZ^_\\]])?`,
  'g',
)
// Matches control characters except tabs and line breaks, lone surrogates, and the characters that
// Unicode calls ignorable: they have no width or change the direction of text. The two joiners are
// allowed, because emoji and the words of some languages need them. Node 18 cannot parse the flag v, and must
// be able to parse the bundle to report that it needs Node 24.
const unseen =
  /[^\t-\r -~\u0085\u00a0-\u{10ffff}]|(?![\u200c\u200d])[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu
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

/** Words of others within a line of ours: more of them would drown ours. */
export const maxWords = 500

/** Removes terminal sequences and invisible characters. A lone surrogate becomes `�`. */
export function clean(text: string): string {
  return text.toWellFormed().replace(ansiSequence, '').replace(unseen, '')
}

/**
 * Returns one clean line of at most `limit` UTF-16 units, with `…` at the end if it was cut. Redact
 * the text before (`Secrets.show`), because redaction would miss a cut secret.
 */
export function inline(text: string, limit: number): string {
  return cut(flatten(text), limit)
}

/**
 * Returns one clean line: no control characters, no line break, no `##[`, no `::` at its beginning.
 */
export function flatten(text: string): string {
  return clean(text)
    .replace(whiteSpace, ' ')
    .trim()
    .replace(legacyCommand, '# #[')
    .replace(/^::/, ': :')
}

/** Words at the end of a sentence of ours, which brings its own full stop. */
export function unpunctuated(words: string): string {
  return words.replace(/[.:\s]+$/, '')
}

/**
 * Returns the lines of an untrusted text. Commands must be switched off where they are printed.
 * Tabs stay. A carriage return ends a line.
 */
export function lines(text: string): string[] {
  return clean(text).replace(lineBreak, '\n').split('\n')
}

/** Escapes a text for HTML and XML. If the whole text is escaped, it contains no `]]>`. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
