/** Which text of a seed names its run. */
import { JsonScanner, type TextRange } from './json-scanner.ts'
import { changed, quote, refuse, settingText } from './text.ts'

/** The members to go through, from the seed to the label. */
export type LabelPath = readonly string[]

/** The name of a member, or a JSON Pointer (RFC 6901), which begins with a slash. */
export const labelPath = changed(settingText, (text, context): LabelPath => {
  if (!text.startsWith('/')) return [text]
  if (!/~(?![01])/.test(text)) return text.slice(1).split('/').map(unescape)
  return refuse(
    context,
    `expected a member's name or a JSON Pointer, in which ~0 stands for ~ and ~1 for /, found ${quote(text)}`,
  )
})

/** In this order, so that `~01` becomes `~1`. */
function unescape(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

/**
 * A longer text names nothing. It is not cut: a secret at the cut would no longer be known as one
 * where the label is shown.
 */
const maxLabelLength = 1000

/** In quotes, each character as an escape. */
const maxWrittenLength = 6 * maxLabelLength + 2

/** The label of a seed whose text is JSON; undefined where the path leads to no text or number. */
export function labelOf(seed: string, path: LabelPath): string | undefined {
  let found: TextRange | undefined = { start: 0, end: seed.length }
  for (const name of path) found = found && findPart(seed, found, name)
  if (!found || found.end - found.start > maxWrittenLength) return undefined
  const written = seed.slice(found.start, found.end)
  if (/^[[{n]/.test(written)) return undefined
  // A number as it is written: `1.0` and `12345678901234567890` stay what they are.
  const label = written.startsWith('"') ? String(JSON.parse(written)) : written
  return label.length <= maxLabelLength ? label : undefined
}

/** An element by its index, or a member by its name: of members with the same name the last. */
function findPart(text: string, range: TextRange, wanted: string): TextRange | undefined {
  if (!/[[{]/.test(text.charAt(range.start))) return undefined
  let found: TextRange | undefined
  let index = 0
  new JsonScanner(text, range).passParts(({ name, start, end }) => {
    const isWanted = name === undefined ? String(index++) === wanted : isName(name, wanted)
    if (isWanted) found = { start, end }
  })
  return found
}

/** `written`: in quotes. Most names are told apart without being read. */
function isName(written: string, name: string): boolean {
  return written.includes('\\') ? JSON.parse(written) === name : written === `"${name}"`
}
