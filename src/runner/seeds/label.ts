/** Which text of a seed names its run. */
import { changed, quote, refuse, settingText } from '../inputs/text.ts'

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
const longestLabel = 1000

/** The label of a seed whose text is JSON; undefined where the path leads to no text or number. */
export function labelOf(text: string, seed: unknown, path: LabelPath): string | undefined {
  const found = followPath(seed, path)
  const label = typeof found === 'number' ? numberText(text, path) : found
  if (typeof label === 'boolean') return String(label)
  return typeof label === 'string' && label.length <= longestLabel ? label : undefined
}

function followPath(seed: unknown, path: LabelPath): unknown {
  return path.reduce(memberOf, seed)
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  // An index has one spelling; `length` is no element.
  if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(name)) return undefined
  return Object.getOwnPropertyDescriptor(value, name)?.value
}

/** A number as it is written in the text: `1.0` and `12345678901234567890` stay what they are. */
function numberText(text: string, path: LabelPath): unknown {
  const asWritten = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value
  return followPath(JSON.parse(text, asWritten), path)
}
