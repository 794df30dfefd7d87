/**
 * Texts from outside (logs, results, messages, names) made inert. Nothing that comes out of here
 * can be taken for a workflow command, move a terminal's cursor, or reorder what a person reads.
 * The bytes on disk stay as they came; only what is shown passes through here.
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
// Control characters but tabs and line breaks; half characters; what Unicode calls ignorable: it has
// no width, or makes a text read differently from what it says (embeddings, overrides, isolates).
// The two joiners stay: words of some languages, and emoji, are made with them.
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

/** Words of others within a line of ours: more of them would drown ours. */
export const maxWords = 500

/** Removes terminal sequences and all that cannot be seen; half characters become `�`. */
export function clean(text: string): string {
  return text.toWellFormed().replace(ansiSequence, '').replace(unseen, '')
}

/**
 * One inert line, at most `limit` UTF-16 units long, the last of them `…` where it was cut. Takes
 * a text that is free of secrets (`Secrets.show`): after the cut nobody would find one.
 */
export function inline(text: string, limit: number): string {
  return cut(flatten(text), limit)
}

/** One inert line: no control character, no line break, no `##[`, no leading `::`. */
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
 * The lines of an untrusted text, for a place that already ignores commands. Tabs stay; carriage
 * returns end a line.
 */
export function lines(text: string): string[] {
  return clean(text).replace(lineBreak, '\n').split('\n')
}

/** For HTML and XML. Of a text that is escaped whole no `]]>` is left either. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
