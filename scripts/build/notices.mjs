// Makes the third-party notices of a bundle, with every package that has a module in the bundle.
// ncc's own list has only the packages of one chunk.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Returns the text of `licenses.txt`, sorted by the names of the packages. */
export function noticesOf(compilation) {
  const folders = new Set(modulesIn(compilation).map(packageFolderOf).filter(Boolean))
  // Sorts whole notices, because a bundle may have two versions of a package.
  return [...folders].map(noticeOf).sort().join('\n')
}

/** Returns all modules. If webpack joined modules into one, returns each of them. */
function modulesIn(compilation) {
  return [...compilation.modules].flatMap((module) => module.modules ?? [module])
}

function packageFolderOf({ resource = '' }) {
  const [folder] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(resource) ?? []
  return folder
}

function noticeOf(folder) {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const { name, version, license } = manifest
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .sort()
    .map((file) => path.join(folder, file))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8').replace(/\r\n/g, '\n').trim())
  const heading = `${name} ${version}\nLicense: ${license}\n`
  return [heading, ...texts.map((text) => `${text}\n`)].join('\n')
}
