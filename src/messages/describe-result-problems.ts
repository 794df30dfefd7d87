/** Describes each problem of a result or of a JSON schema in one line. */
import {
  maxTextLength,
  type ResultProblems,
  type SchemaProblem,
  type SchemaProblems,
} from '../execution/result-problems.ts'
import type { Secrets, Show } from './text/secrets.ts'
import { inline } from './text/untrusted-text.ts'

/** The maximum lengths of the parts of a problem, in UTF-16 units. */
const maxPlace = 200
const maxExpected = 300
const maxFound = 120

/**
 * Returns the problems as lines for people. Unless `printResult` is true, the lines contain neither
 * places nor values of the result.
 */
export function showProblems(
  { problems, count }: SchemaProblems,
  { show, showBeginning }: Pick<Secrets, 'show' | 'showBeginning'>,
  printResult: boolean,
): ResultProblems {
  const redact = (text: string) => (text.length < maxTextLength ? show(text) : showBeginning(text))
  const lines = problems.map(({ place, expected, found }) => {
    const shown = printResult ? inline(showPlace(place, show), maxPlace) : 'A value in the result'
    const words = withoutPlace({
      expected: redact(expected),
      found: found === undefined || !printResult ? undefined : redact(found),
    })
    return `${place === '' ? 'The result' : shown}: ${words}`
  })
  return { lines, count }
}

/** Redacts a JSON Pointer. Its names are unescaped first, because an escape can hide a secret. */
function showPlace(place: string, show: Show): string {
  const names = place.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.map((name) => show(name).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
}

/** Describes a problem of a schema. The caller redacts the problems of all inputs together. */
export function describeSchemaProblem(problem: SchemaProblem): string {
  const where = inline(problem.place, maxPlace)
  return where === '' ? withoutPlace(problem) : `at ${where}: ${withoutPlace(problem)}`
}

function withoutPlace({ expected, found }: Pick<SchemaProblem, 'expected' | 'found'>): string {
  const words = inline(expected, maxExpected)
  return found === undefined ? words : `${words}, found ${inline(found, maxFound)}`
}
