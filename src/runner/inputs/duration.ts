import { settingText, quote, refuse } from './text.ts'

const millisecondsPer = { hours: 3_600_000, minutes: 60_000, seconds: 1000, milliseconds: 1 }

// Each unit at most once, the largest first: nothing is half-parsed.
const parts =
  /^(?:(?<hours>\d+)h)?(?:(?<minutes>\d+)m)?(?:(?<seconds>\d+)s)?(?:(?<milliseconds>\d+)ms)?$/

/** Milliseconds of a text such as `250ms`, `90s`, `1h30m` or `90` (seconds); undefined for others. */
export function parseDuration(text: string): number | undefined {
  const groups = /^\d+$/.test(text)
    ? { seconds: text }
    : text
      ? parts.exec(text)?.groups
      : undefined
  if (!groups) return undefined
  const span = Object.entries(millisecondsPer).reduce(
    (sum, [unit, milliseconds]) => sum + Number(groups[unit] ?? 0) * milliseconds,
    0,
  )
  return Number.isSafeInteger(span) ? span : undefined
}

/** A duration in milliseconds, within bounds that are written as an input would be. */
export function durationBetween(least: string, most: string) {
  const lowest = boundOf(least)
  const highest = boundOf(most)
  return settingText.transform((text, context) => {
    const span = parseDuration(text)
    if (span === undefined) {
      return refuse(
        context,
        `expected a duration such as 250ms, 90s, 10m or 1h30m (a bare number is whole seconds), found ${quote(text)}`,
      )
    }
    if (span < lowest || span > highest) {
      return refuse(context, `expected a duration from ${least} to ${most}, found ${quote(text)}`)
    }
    return span
  })
}

function boundOf(text: string): number {
  const span = parseDuration(text)
  if (span === undefined) throw new RangeError(`not a duration: ${text}`)
  return span
}
