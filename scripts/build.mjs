// `npm run build`: bundles every entry into dist/<entry>/.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { entries, makeBundle, replaceFolder, root } from './build/bundles.mjs'

// All of it in memory first: a build that fails leaves the bundles that were there.
const bundles = []
for (const name of Object.keys(entries)) {
  const { files } = await makeBundle(name)
  bundles.push({ name, files })
  console.log(`dist/${name}/index.js  ${(files['index.js'].length / 1000).toFixed(0)} kB`)
}

await rm(path.join(root, 'dist'), { recursive: true, force: true })
for (const { name, files } of bundles) await replaceFolder(path.join(root, 'dist', name), files)
