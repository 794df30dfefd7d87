/** Problems of a result, or of the schema that it is checked by: one line each. */
import type { ResultProblems, SchemaProblem, SchemaProblems } from '../execution/result-problems.ts'
import type { Secrets } from './text/secrets.ts'
import { inline } from './text/untrusted-text.ts'

/** In UTF-16 units: of the place, of what was expected, of the value. */
const maxPlace = 200
const maxExpected = 300
const maxFound = 80
/** A text of this length may have been cut, within a secret. */
const mayBeCut = 4_096

/** What may be shown of the problems of a result. `printResult`: the input. */
export function showProblems(
  { problems, count }: SchemaProblems,
  { show, showBeginning }: Pick<Secrets, 'show' | 'showBeginning'>,
  printResult: boolean,
): ResultProblems {
  const showPart = (text: string) => (text.length >= mayBeCut ? showBeginning(text) : show(text))
  const shown = problems.map(({ place, expected, found }) => ({
    place: showPlace(place, showPart),
    expected: showPart(expected),
    found: found === undefined || !printResult ? undefined : showPart(found),
  }))
  const lines = shown.map((problem) => {
    const where = inline(problem.place, maxPlace) || 'The result'
    return `${where}: ${withoutPlace(problem)}`
  })
  return { lines, count }
}

/** A name within a JSON Pointer is written with escapes, which would hide a secret. */
function showPlace(place: string, show: (text: string) => string): string {
  const names = place.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.map((name) => show(name).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
}

/** Of a schema; it needs no redaction here, since all problems of inputs are redacted together. */
export function describeSchemaProblem(problem: SchemaProblem): string {
  const where = inline(problem.place, maxPlace)
  return where === '' ? withoutPlace(problem) : `at ${where}: ${withoutPlace(problem)}`
}

function withoutPlace({ expected, found }: SchemaProblem): string {
  const words = inline(expected, maxExpected)
  return found === undefined ? words : `${words}, found ${inline(found, maxFound)}`
}

/** How many there are, for the line after the first one; undefined where that is all. */
export function describeMoreProblems({ lines, count }: ResultProblems): string | undefined {
  return count === 1
    ? undefined
    : `Problems: ${count} in all; the first ${lines.length} are in the summary (output summary-file).`
}
