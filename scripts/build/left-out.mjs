// Makes the file that replaces left-out packages in a bundle. It has every name that the bundle
// imports, so that the bundle loads. Each use of a name throws.

/** The file that a bundle imports in place of these packages. */
export const leftOutFile = './left-out.js'

/** Returns the text of the file for a bundle that imports it. */
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
  throw new Error(`cannot find out which names the bundle uses of a left-out package (${used})`)
}

/** Returns a value that throws when it is called, constructed or read. */
function leftOut(name) {
  const refuse = () => {
    throw new Error(`left out of this bundle: ${name}`)
  }
  return new Proxy(function () {}, { get: refuse, apply: refuse, construct: refuse })
}
