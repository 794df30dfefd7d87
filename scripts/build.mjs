// `npm run build` writes the bundles to dist/<name>/.
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { replaceFolder, root } from './build/bundles.mjs'
import { readFreshBundles } from './build/fresh-bundles.mjs'

// Makes all bundles before it removes dist/, so that a failed build keeps the old bundles.
const bundles = await readFreshBundles()
await rm(path.join(root, 'dist'), { recursive: true, force: true })
for (const { name, files } of bundles) {
  await replaceFolder(path.join(root, 'dist', name), files)
  console.log(`dist/${name}/index.js  ${(files['index.js'].length / 1000).toFixed(0)} kB`)
}
