/** The inputs that say how long to wait, how often to look, and what counts as failed. */
import { z } from 'zod/mini'
import { failOnConclusions } from '../../execution/conclusion.ts'
import { changed, quote, refuse, settingText } from './text.ts'
import { wordsOutOf } from './words.ts'

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
  return changed(settingText, (text, context) => {
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

/**
 * Words separated by commas or line breaks; none when empty. A text that is not given at all is
 * refused: reading it as empty would turn failed runs green.
 */
export const failOn = changed(
  z.string('not given at all, although action.yml has a default; the runner did not pass it on'),
  wordsOutOf(failOnConclusions, `${failOnConclusions.join(', ')} (or nothing)`),
)

/** Spans are milliseconds. A run longer than 30 days outlives every job of GitHub's. */
export const waiting = changed(
  z.object({
    'poll-interval': durationBetween('100ms', '1h'),
    timeout: durationBetween('0s', '720h'),
    'fail-on': failOn,
  }),
  (given) => ({
    pollInterval: given['poll-interval'],
    timeout: given.timeout,
    failOn: given['fail-on'],
  }),
)
