// Puts the modules of a bundle in parentheses. V8 compiles a function in parentheses at once.
// Without parentheses, V8 scans each module first and reads it again at its call. This took a tenth of
// the time to the first request. webpack writes the parentheses, but the minifier removes them.
import ts from 'typescript'

/** Returns the code with parentheses. Throws if the code has no table of modules. */
export function withEagerModules(code) {
  const source = ts.createSourceFile('index.js', code, ts.ScriptTarget.Latest, true)
  const table = tableIn(source)
  if (!table) throw new Error('the bundle has no table of modules')
  const ends = table.properties.flatMap(({ initializer }) => [
    { at: initializer.getStart(), mark: '(' },
    { at: initializer.end, mark: ')' },
  ])
  const parts = ends.map(({ at, mark }, index) => code.slice(ends[index - 1]?.at ?? 0, at) + mark)
  return [...parts, code.slice(ends.at(-1).at)].join('')
}

/** Returns the first object whose names are numbers and whose values are functions. */
function tableIn(node) {
  return isTable(node) ? node : ts.forEachChild(node, tableIn)
}

function isTable(node) {
  return (
    ts.isObjectLiteralExpression(node) &&
    node.properties.length > 0 &&
    node.properties.every(isModule)
  )
}

function isModule(member) {
  return (
    ts.isPropertyAssignment(member) &&
    ts.isNumericLiteral(member.name) &&
    (ts.isArrowFunction(member.initializer) || ts.isFunctionExpression(member.initializer))
  )
}
