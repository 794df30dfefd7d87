// The modules of a bundle in parentheses. Nearly all run while the bundle is loaded, and V8 compiles
// a function in parentheses at once; any other it scans first, and reads again when it is called,
// which took a tenth of the time to the first request. webpack writes the parentheses, and its
// minifier takes them away.
import ts from 'typescript'

/** The same code; throws where it has no table of modules. */
export function withEagerModules(code) {
  const source = ts.createSourceFile('index.js', code, ts.ScriptTarget.Latest, true)
  const table = tableIn(source)
  if (!table) throw new Error('the bundle has no table of modules where it is looked for')
  const ends = table.properties.flatMap(({ initializer }) => [
    { at: initializer.getStart(), mark: '(' },
    { at: initializer.end, mark: ')' },
  ])
  const parts = ends.map(({ at, mark }, index) => code.slice(ends[index - 1]?.at ?? 0, at) + mark)
  return [...parts, code.slice(ends.at(-1).at)].join('')
}

/** The first object whose members are functions under numbers. */
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
