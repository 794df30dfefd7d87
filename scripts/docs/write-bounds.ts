/** Writes the bounds of the sources into the pages and the action.yml files. */
import { bounds } from './bounds.ts'

/**
 * The words around each bound in the action.yml files, whose descriptions are plain texts: a marker
 * would show. The tables in docs/reference repeat these descriptions.
 */
const phrases = [
  'end of the run, up to {maxTimeout} ({maxDays}),',
  'that retry-on names, from 0 to {maxRetries}.',
  'before a retry grows from {firstRunRetryPause} to {maxRunRetryPause}.',
  'its last {maxLogShown} are printed (in a batch, {maxPrintedLogs} of all logs',
  'or absolute. At most {maxSeedSize}.',
  'if it is UTF-8 and at most {maxResultOutput}.',
  "The last {maxLogOutput} of the run's log",
  'At most {maxSeeds} seeds',
  'seeds and {maxListSize}. A file',
  'may be a text of up to {maxLabelLength} characters',
  'at the same time, a whole number from 1 to {maxParallel}.',
  'Empty above {maxResultsOutput};',
  'that is JSON of at most {maxResult} ({maxResults} in all)',
]

const amount = String.raw`\d[\d.,]*(?:\s*[a-zA-Z%]+)?`
const marker = new RegExp(`(${amount})?<!--(\\w+)-->`, 'g')

/**
 * Returns the text with the bounds of the sources before their markers (`10 MiB<!--maxSeedSize-->`)
 * and in the phrases of the action.yml files.
 * @throws Error if a marker has an unknown name, or does not follow a number.
 */
export function withBounds(text: string): string {
  const marked = text.replace(marker, (found, old: string | undefined, name: string) => {
    if (old === undefined) throw new Error(`${found} must follow a number`)
    return `${boundOf(name)}<!--${name}-->`
  })
  return phrases.reduce(fillPhrase, marked)
}

function fillPhrase(text: string, phrase: string): string {
  // Each second part is the name of a bound. A description may have line breaks between its words.
  const parts = phrase.split(/\{(\w+)\}/)
  const pattern = parts.map((part, at) =>
    at % 2 === 0 ? `(?<words${at}>${wordsOf(part)})` : amount,
  )
  const filling = parts.map((part, at) => (at % 2 === 0 ? `$<words${at}>` : boundOf(part)))
  return text.replace(new RegExp(pattern.join(''), 'g'), filling.join(''))
}

function wordsOf(part: string): string {
  return part.replace(/[.()]/g, String.raw`\$&`).replaceAll(' ', String.raw`\s+`)
}

function boundOf(name: string): string {
  const bound = bounds.get(name)
  if (bound === undefined) throw new Error(`scripts/docs/bounds.ts has no bound ${name}`)
  return bound
}

/** @throws Error that names each phrase and each bound that no text has. */
export function expectAllBounds(texts: readonly string[]): void {
  const all = [...texts, ...phrases].join(' ').replace(/\s+/g, ' ')
  const lost = phrases.filter((phrase) => {
    const filled = phrase.replace(/\{(\w+)\}/g, (_, name: string) => boundOf(name))
    return !all.includes(filled)
  })
  const unnamed = [...bounds.keys()].filter(
    (name) => !all.includes(`<!--${name}-->`) && !all.includes(`{${name}}`),
  )
  if (lost.length + unnamed.length > 0) {
    throw new Error(`no page or action.yml has: ${[...lost, ...unnamed].join('; ')}`)
  }
}
