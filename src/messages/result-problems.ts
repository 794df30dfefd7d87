/** Describes each problem of a result or of a JSON schema in one line. */
import type {
  CutText,
  ResultProblems,
  SchemaProblem,
  SchemaProblems,
} from '../execution/result-problems.ts'
import type { Secrets, Show } from './text/secrets.ts'
import { inline } from './text/untrusted-text.ts'

/** The maximum lengths of the parts of a problem, in UTF-16 units. */
const maxPlace = 200
const maxExpected = 300
const maxFound = 80

/**
 * Returns the problems as lines for people. The lines contain values of the result only if
 * `printResult` is true.
 */
export function showProblems(
  { problems, count }: SchemaProblems,
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
  return { lines, count }
}

/** Redacts a JSON Pointer. Its names are unescaped first, because an escape can hide a secret. */
function showPlace(place: string, show: Show, showLast: Show): string {
  const names = place.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const shown = [...names.slice(0, -1).map(show), showLast(names.at(-1) ?? '')]
  return shown.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
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

/** Says how many problems the result has. Returns undefined if there is only one problem. */
export function describeMoreProblems({ lines, count }: ResultProblems): string | undefined {
  return count === 1
    ? undefined
    : `The result has ${count} problems. The summary (output summary-file) has the first ${lines.length}.`
}
