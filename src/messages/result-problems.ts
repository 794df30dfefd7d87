/** Problems of a result, or of the schema that it is checked by: one line each. */
import type {
  CutText,
  ResultProblems,
  SchemaProblem,
  SchemaProblems,
} from '../execution/result-problems.ts'
import type { Secrets, Show } from './text/secrets.ts'
import { inline } from './text/untrusted-text.ts'

/** In UTF-16 units: of the place, of what was expected, of the value. */
const maxPlace = 200
const maxExpected = 300
const maxFound = 80

/** What may be shown of the problems of a result. `printResult`: the input. */
export function showProblems(
  { problems, count, isUnchecked }: SchemaProblems,
  { show, showBeginning }: Pick<Secrets, 'show' | 'showBeginning'>,
  printResult: boolean,
): ResultProblems {
  const lines = problems.map((problem) => {
    const { expected, found, cut } = problem
    const showOf = (name: CutText) => (cut.includes(name) ? showBeginning : show)
    const from = printResult ? 'place' : 'namedPlace'
    const place = showPlace(problem[from], show, showOf(from))
    const words = withoutPlace({
      expected: showOf('expected')(expected),
      found: found === undefined || !printResult ? undefined : showOf('found')(found),
    })
    return `${inline(place, maxPlace) || 'The result'}: ${words}`
  })
  return { lines, count, isUnchecked }
}

/** A name within a JSON Pointer is written with escapes, which would hide a secret. */
function showPlace(place: string, show: Show, showLast: Show): string {
  const names = place.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const shown = [...names.slice(0, -1).map(show), showLast(names.at(-1) ?? '')]
  return shown.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
}

/** Of a schema; it needs no redaction here, since all problems of inputs are redacted together. */
export function describeSchemaProblem(problem: SchemaProblem): string {
  const where = inline(problem.place, maxPlace)
  return where === '' ? withoutPlace(problem) : `at ${where}: ${withoutPlace(problem)}`
}

function withoutPlace({ expected, found }: Pick<SchemaProblem, 'expected' | 'found'>): string {
  const words = inline(expected, maxExpected)
  return found === undefined ? words : `${words}, found ${inline(found, maxFound)}`
}

/** How many there are, for the line after the first one; undefined where that is all. */
export function describeMoreProblems({ lines, count }: ResultProblems): string | undefined {
  return count === 1
    ? undefined
    : `Problems: ${count} in all; the first ${lines.length} are in the summary (output summary-file).`
}
