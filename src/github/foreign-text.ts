/**
 * Texts from outside (logs, results, messages, names) made inert. Nothing that comes out of here
 * can be taken for a workflow command, move a terminal's cursor, or reorder what a person reads.
 * The bytes on disk stay as they came; only what is shown passes through here.
 */
const escape = String.fromCharCode(0x1b)
const bell = String.fromCharCode(0x07)
// A title sequence that never ends must not swallow the rest of a log, hence the bound.
const titleSequence = `\\][^${bell}${escape}\\r\\n]{0,2000}(?:${bell}|${escape}\\\\)`
const ansiSequence = new RegExp(
  `${escape}(?:\\[[0-?]*[ -/]*[@-~]?|${titleSequence}|[()*+#%][0-~]|[=>78cDEHMNOPXZ^_\\]])?`,
  'g',
)
// Embeddings, overrides and isolates: they make a text read differently from what it says.
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g
const unprintable = /[\p{Cc}\u2028\u2029]+/gu
const unprintableButLayout = /[^\P{Cc}\t\n]/gu
// How much may fall away before the cut; it bounds the work on a text of any size.
const mostSequences = 64 * 1024
const legacyCommand = /##\[/g

/** One inert line, at most `limit` UTF-16 units long, the last of them `…` where it was cut. */
export function inline(text: string, limit: number): string {
  return cut(flatten(text.slice(0, limit + mostSequences)), limit)
}

/** One inert line: no control character, no line break, no `##[`, no leading `::`. */
export function flatten(text: string): string {
  return removeSequences(text)
    .replace(unprintable, ' ')
    .trim()
    .replace(legacyCommand, '# #[')
    .replace(/^::/, ': :')
}

/** Cuts at `limit` UTF-16 units, never inside a character that takes two of them. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `${text.slice(0, Math.max(0, limit - 1)).replace(/[\ud800-\udbff]$/, '')}…`
}

/**
 * The lines of a foreign text, for a place that already ignores commands. Tabs stay; carriage
 * returns end a line; colours go; any other control character becomes a visible `�`.
 */
export function lines(text: string): string[] {
  return removeSequences(text)
    .replace(/\r\n?/g, '\n')
    .replace(unprintableButLayout, '\ufffd')
    .split('\n')
}

function removeSequences(text: string): string {
  return text.toWellFormed().replace(ansiSequence, '').replace(directionControls, '')
}
