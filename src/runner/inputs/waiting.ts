/** Declares the inputs for waiting, checking, failing and retrying. */
import { z } from 'zod/mini'
import {
  failOnConclusions,
  retriableOutcomes,
  type RetriableOutcome,
} from '../../execution/conclusion.ts'
import { resultSchema } from './result-schema.ts'
import {
  changed,
  named,
  optional,
  quote,
  refuse,
  settingText,
  whenValid,
  wholeNumberBetween,
  wordsOutOf,
} from './text.ts'

const millisecondsPer = { hours: 3_600_000, minutes: 60_000, seconds: 1000, milliseconds: 1 }

// Each unit may occur once, and larger units come first. The whole text must match.
const parts =
  /^(?:(?<hours>\d+)h)?(?:(?<minutes>\d+)m)?(?:(?<seconds>\d+)s)?(?:(?<milliseconds>\d+)ms)?$/

/** Returns the milliseconds of a text such as `250ms`, `90s` or `1h30m`, or undefined. */
export function parseDuration(text: string): number | undefined {
  const groups = parts.exec(text)?.groups
  if (text === '' || !groups) return undefined
  const span = Object.entries(millisecondsPer).reduce(
    (sum, [unit, milliseconds]) => sum + Number(groups[unit] ?? 0) * milliseconds,
    0,
  )
  return Number.isSafeInteger(span) ? span : undefined
}

/** Reads a duration and returns milliseconds. The limits are written like inputs (`1h`). */
export function durationBetween(min: string, max: string) {
  const lowest = boundOf(min)
  const highest = boundOf(max)
  return changed(settingText, (text, context) => {
    const span = parseDuration(text)
    if (span === undefined) {
      return refuse(context, `${expectedDuration(text)}, found ${quote(text)}`)
    }
    if (span < lowest || span > highest) {
      return refuse(context, `expected a duration from ${min} to ${max}, found ${quote(text)}`)
    }
    return span
  })
}

/** Asks for a unit. A plain number could mean minutes, as in GitHub's `timeout-minutes`. */
function expectedDuration(text: string): string {
  if (/^0+$/.test(text)) return 'expected a duration with a unit: write 0s'
  if (/^\d+$/.test(text)) return `expected a duration with a unit: write ${text}s or ${text}m`
  return 'expected a duration such as 250ms, 90s, 10m or 1h30m'
}

function boundOf(text: string): number {
  const span = parseDuration(text)
  if (span === undefined) throw new RangeError(`not a duration: ${text}`)
  return span
}

/**
 * The conclusions that make the step fail, separated by commas or line breaks. An empty text means
 * none. A missing input is refused, because an empty list would make failed runs pass.
 */
export const failOn = changed(
  z.string('not given, although action.yml has a default; the runner did not pass the default'),
  wordsOutOf(failOnConclusions, `${failOnConclusions.join(', ')} (or nothing)`),
)

/** The maximum timeout is 24 days, which Node's timers can still wait. No job runs for that long. */
export const maxTimeout = '576h'

const timeout = durationBetween('0s', maxTimeout)
/** A step that starts runs refuses the timeout `0s`, because its time would be over before a start. */
const timeoutOfStarts = changed(timeout, (span, context) =>
  span > 0
    ? span
    : refuse(
        context,
        'expected a duration of 1ms or more, found 0s; to start a run without waiting for it, use the action start, and check the run later with the action wait and timeout: 0s',
      ),
)

/** The inputs of `wait` for waiting. All durations are milliseconds. */
export const waiting = waitingWithin(timeout)
/** The inputs for waiting for the runs that the step starts. */
export const waitingForStarts = waitingWithin(timeoutOfStarts)

function waitingWithin(timeout: z.ZodMiniType<number>) {
  const fields = z.object({
    'poll-interval': durationBetween('100ms', '1h'),
    timeout,
    'fail-on': failOn,
  })
  return changed(fields, named)
}

interface Retried {
  'retry-on': ReadonlySet<RetriableOutcome>
  'result-schema'?: unknown
}

/** A retry after an invalid result needs a schema, because only a schema makes a result invalid. */
const hasSchemaToRetryOn = z.refine<Retried>(
  (given) => given['result-schema'] !== undefined || !given['retry-on'].has('invalid-result'),
  {
    path: ['retry-on'],
    error: 'contains invalid-result, which needs the input result-schema; give a schema',
    when: whenValid('retry-on', 'result-schema'),
  },
)

export const maxRetries = 10

/** Declares the inputs for the check of the result and for retries. */
export function retrying(workspace: string, bundleFolder: string) {
  const fields = z.object({
    ...schemaField(workspace, bundleFolder),
    retries: wholeNumberBetween(0, maxRetries),
    'retry-on': changed(settingText, wordsOutOf(retriableOutcomes, retriableOutcomes.join(', '))),
  })
  return changed(fields.check(hasSchemaToRetryOn), named)
}

/** Declares the inputs for the check of the result, for a step that starts no run. */
export function checking(workspace: string, bundleFolder: string) {
  return changed(z.object(schemaField(workspace, bundleFolder)), named)
}

function schemaField(workspace: string, bundleFolder: string) {
  return { 'result-schema': optional(resultSchema(workspace, bundleFolder)) }
}
