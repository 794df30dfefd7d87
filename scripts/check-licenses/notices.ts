/** Licences that let people use, change and pass on the bundles under this repository's own. */
const suited = [
  /^(MIT|MIT-0|ISC|0BSD|Apache-2\.0|Unlicense|CC0-1\.0|BlueOak-1\.0\.0|Zlib|Python-2\.0)$/,
  /^BSD-[23]-Clause$/,
  // What MIT was called before SPDX named it.
  /^MIT\/X11$/,
]

/**
 * What is wrong with a bundle's notices (`licenses.txt`, one paragraph `name version` and
 * `License: …` for each package): packages under licences that don't suit, a line each.
 */
export function findUnsuited(notices: string): string[] {
  const packages = [...notices.matchAll(/^(\S+ \S+)\r?\nLicense: (.*)$/gm)]
  if (packages.length === 0) return ['no package in it: has the format of the notices changed?']
  return packages
    .filter(([, , license = '']) => !suits(license))
    .map(
      ([, name = '', license = '']) =>
        `${name} is under ${license.trim().replace(/^(undefined)?$/, 'no licence')}`,
    )
}

/** An SPDX expression of OR and AND; of alternatives one is enough. */
function suits(expression: string): boolean {
  const alternatives = expression
    .trim()
    .replaceAll(/[()]/g, '')
    .split(/\s+OR\s+/)
  return alternatives.some((alternative) =>
    alternative.split(/\s+AND\s+/).every((name) => suited.some((pattern) => pattern.test(name))),
  )
}
