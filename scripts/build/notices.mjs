// The third-party notices of a bundle: every package of which a module is in it.
// ncc's own list holds one chunk's packages only, so bundles with chunks would lack the others.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The text of `licenses.txt`, packages in the order of their names. */
export function noticesOf(compilation) {
  const folders = new Set(modulesIn(compilation).map(packageFolderOf).filter(Boolean))
  // By the whole text, which begins with name and version: a package may be there in two versions.
  return [...folders].map(noticeOf).sort().join('\n')
}

/** With modules that webpack joined into one taken apart again. */
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
