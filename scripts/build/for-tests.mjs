// jest's global setup: bundles made from the sources under test, in a folder of their own, so that
// `dist/` plays no part in a test. A bundle is made again only when one of its modules has changed.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { entries, makeBundle, replaceFolder, root } from './bundles.mjs'

const folder = path.join(root, 'node_modules', '.cache', 'bundles-under-test')
const recipe = [
  'package-lock.json',
  'scripts/build/bundles.mjs',
  'scripts/build/left-out.mjs',
  'scripts/build/notices.mjs',
]

export default async function makeBundlesUnderTest() {
  for (const name of Object.keys(entries)) {
    const target = path.join(folder, name)
    if (await isFresh(target)) continue
    const { files, modules } = await makeBundle(name)
    // The lock file stands for what lies in node_modules.
    const own = modules.filter(
      (file) => file.startsWith(path.join(root, 'src') + path.sep) && file.endsWith('.ts'),
    )
    const made = await hashes([...own.map((file) => path.relative(root, file)), ...recipe])
    await replaceFolder(target, { ...files, 'made-from.json': JSON.stringify(made) })
  }
  process.env['BUNDLES_UNDER_TEST'] = folder
}

async function isFresh(target) {
  try {
    const made = JSON.parse(await readFile(path.join(target, 'made-from.json'), 'utf8'))
    return JSON.stringify(made) === JSON.stringify(await hashes(Object.keys(made)))
  } catch {
    return false
  }
}

async function hashes(files) {
  const pairs = files.map(async (file) => [
    file,
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  ])
  return Object.fromEntries(await Promise.all(pairs))
}
