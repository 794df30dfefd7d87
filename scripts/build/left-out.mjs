// Makes the file that replaces left-out packages in a bundle. It has every name that the bundle
// imports, so that the bundle loads. Each use of a name throws.

/** The file that a bundle imports in their place. */
export const leftOutFile = './left-out.js'

/** The text of that file, for a bundle that was made with it as an external module. */
export function leftOutStub(compilation, { esm }) {
  const names = new Set(
    externalsIn(compilation).flatMap((module) => usedNames(module, compilation)),
  )
  const stubs = [...names].sort().map((name, index) => [name, `stub${index}`])
  const lines = stubs.map(([name, stub]) => `const ${stub} = leftOut('${name}')`)
  const exports = esm
    ? [`export { ${stubs.map(([name, stub]) => `${stub} as ${name}`).join(', ')} }`]
    : ['exports.__esModule = true', ...stubs.map(([name, stub]) => `exports.${name} = ${stub}`)]
  return `${[leftOut.toString(), ...lines, ...exports].join('\n')}\n`
}

function externalsIn({ modules }) {
  const all = [...modules].flatMap((module) => module.modules ?? [module])
  return all.filter(({ externalType, request }) => externalType && request === leftOutFile)
}

function usedNames(module, { moduleGraph }) {
  const used = moduleGraph.getUsedExports(module, undefined)
  if (used instanceof Set) return [...used]
  throw new Error(`cannot find out what the bundle uses of a package that is left out (${used})`)
}

/** A function, class and object in one, each use of which throws. */
function leftOut(name) {
  const refuse = () => {
    throw new Error(`left out of this bundle: ${name}`)
  }
  return new Proxy(function () {}, { get: refuse, apply: refuse, construct: refuse })
}
