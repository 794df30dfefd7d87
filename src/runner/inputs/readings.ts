/** The readings of inputs: functions that turn the text of an input into a value. */
import { failOnConclusions, retriableOutcomes } from '../../execution/conclusion.ts'
import { findSegmentProblem, projectNamePattern } from '../../service/names.ts'

/** Returns the value of a text. @throws InputProblem if the text has no value. */
export type Reading<Value> = (text: string) => Value

/** The maximum number of problems of one input in an annotation, which has limited space. */
export const maxInputProblems = 20

/** Says why a text is no value of its input. */
export class InputProblem extends Error {
  readonly problems: readonly string[]

  constructor(problems: string | readonly string[]) {
    super('a wrong input')
    this.problems = [problems].flat()
  }
}

export const anyText: Reading<string> = (text) => text

/** One line of text, such as a name or an id. */
export const line: Reading<string> = (text) => {
  if (isOneLine(text)) return text
  throw new InputProblem(
    'expected one line of text without control characters, found a line break or another control character',
  )
}

/** A credential is one line of ASCII. No service issues a token with other characters. */
export const credential: Reading<string> = (text) => {
  if (/^(["'\x60]).*\1$/.test(text)) {
    throw new InputProblem('is in quotes, which would be sent too; remove the quotes')
  }
  if (/^[\x20-\x7e]*$/.test(text)) return text
  throw new InputProblem(
    'expected one line of printable ASCII characters, found a line break, a control character or a non-ASCII character; copy the value again',
  )
}

/** A name or an id that becomes one segment of a URL path of the service. */
export const pathSegment: Reading<string> = (text) => {
  const problem = findSegmentProblem(line(text))
  if (problem === undefined) return text
  throw new InputProblem(problem)
}

/** The id of an execution. It may have any characters, but quotes and addresses are mistakes. */
export const executionId: Reading<string> = (text) => {
  if (!/^(["'\x60]).*\1$|:\/\//.test(text)) return pathSegment(text)
  throw new InputProblem(
    `expected the execution id alone, without quotes and without an address, found ${quote(text)}`,
  )
}

/** The name of a project to create. The service checks names with the same pattern. */
export const projectName: Reading<string> = (text) => {
  if (projectNamePattern.test(pathSegment(text))) return text
  throw new InputProblem(
    `expected lowercase letters, digits, hyphens and underscores, starting with a letter or a digit (${projectNamePattern.source}), found ${quote(text)}`,
  )
}

/** The name of an artifact. Names that GitHub would refuse are refused before a run is started. */
export const artifactName: Reading<string> = (text) => {
  if (/^(?!\.{1,2}$)[^":<>|*?\\/]{0,260}$/.test(line(text))) return text
  throw new InputProblem(
    `expected a name of at most 260 characters, without any of " : < > | * ? \\ /, other than . and .., found ${quote(text)}`,
  )
}

export function oneOf<const Word extends string>(...words: readonly Word[]): Reading<Word> {
  return (text) => {
    const found = words.find((word) => word === text)
    if (found !== undefined) return found
    throw new InputProblem(`expected one of ${words.join(', ')}, found ${quote(text)}`)
  }
}

/** Returns the words of a text, which commas or line breaks separate. */
function setOf<const Word extends string>(
  known: readonly Word[],
  expected = known.join(', '),
): Reading<ReadonlySet<Word>> {
  const isKnown = (word: string): word is Word => known.some((other) => other === word)
  return (text) => {
    const words = text
      .split(/[,\r\n]/)
      .map((word) => word.trim())
      .filter((word) => word !== '')
    // A text of commas has no word.
    const unknown = words.length === 0 ? [text] : words.filter((word) => !isKnown(word))
    if (unknown.length === 0) return new Set(words.filter(isKnown))
    throw new InputProblem(`expected any of ${expected}, found ${unknown.map(quote).join(', ')}`)
  }
}

const someConclusions = setOf(failOnConclusions, `${failOnConclusions.join(', ')}, or none alone`)

/** The conclusions that fail the step. `none` means none of them. */
export const failOn: typeof someConclusions = (text) =>
  text === 'none' ? new Set() : someConclusions(text)

export const retryOn = setOf(retriableOutcomes)

/** A whole number that is written only with digits. */
export function wholeNumber(min: number, max: number): Reading<number> {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN
    if (value >= min && value <= max) return value
    throw new InputProblem(`expected a whole number from ${min} to ${max}, found ${quote(text)}`)
  }
}

/** A boolean in the spelling of YAML 1.2 (core schema). */
export const boolean: Reading<boolean> = (text) => {
  if (/^(?:true|True|TRUE)$/.test(text)) return true
  if (/^(?:false|False|FALSE)$/.test(text)) return false
  throw new InputProblem(`expected true or false, found ${quote(text)}`)
}

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

/** A duration in milliseconds. The bounds are written like inputs (`1h`). */
export function duration(min: string, max: string): Reading<number> {
  const lowest = boundOf(min)
  const highest = boundOf(max)
  return (text) => {
    const span = parseDuration(text)
    if (span === undefined)
      throw new InputProblem(`${expectedDuration(text)}, found ${quote(text)}`)
    if (span >= lowest && span <= highest) return span
    throw new InputProblem(`expected a duration from ${min} to ${max}, found ${quote(text)}`)
  }
}

/** Asks for a unit. A plain number could mean minutes, as in GitHub's `timeout-minutes`. */
function expectedDuration(text: string): string {
  if (/^0+$/.test(text)) return 'expected a duration with a unit: write 0s'
  if (/^\d+$/.test(text)) {
    const [first, second] = Number(text) > 10_000 ? ['ms', 's'] : ['s', 'm']
    return `expected a duration with a unit: write ${text}${first} or ${text}${second}`
  }
  return 'expected a duration such as 250ms, 90s, 10m or 1h30m'
}

function boundOf(text: string): number {
  const span = parseDuration(text)
  if (span === undefined) throw new RangeError(`not a duration: ${text}`)
  return span
}

/** The maximum timeout is 24 days, which Node's timers can still wait. No job runs for that long. */
export const maxTimeout = '576h'

const positiveTimeout = duration('1ms', maxTimeout)

/** The timeout of a step that starts runs. With `0s`, its time would be over before a start. */
export const timeoutAboveZero: Reading<number> = (text) => {
  if (parseDuration(text) !== 0) return positiveTimeout(text)
  throw new InputProblem(
    'expected a duration of 1ms or more, found 0s; to start a run without waiting for it, use the action start, and check the run later with the action wait and timeout: 0s',
  )
}

export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(text)
}

/**
 * Returns a text for an error message: in quotes and on one line. The annotation cuts a long text,
 * after it was redacted.
 */
export function quote(text: string): string {
  // JSON.stringify leaves some invisible characters and some line breaks (U+2028) unescaped.
  return JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (found) => {
    return `\\u{${found.codePointAt(0)?.toString(16) ?? ''}}`
  })
}
