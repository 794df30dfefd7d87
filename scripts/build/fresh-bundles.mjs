// Makes bundles from the current sources in a folder of their own. The tests run these bundles, and so does
// `npm start` if `dist/` is older. `npm run build` copies them to `dist/`. A bundle is made again only if
// one of its modules or a build script has changed.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { entries, replaceFolder, root } from './bundles.mjs'

const folder = path.join(root, 'node_modules', '.cache', 'bundles')
const madeFrom = 'made-from.json'
const threadFile = new URL('bundle-thread.mjs', import.meta.url)
const recipe = [
  'package-lock.json',
  'scripts/build/bundle-thread.mjs',
  'scripts/build/bundles.mjs',
  'scripts/build/eager-modules.mjs',
  'scripts/build/left-out.mjs',
  'scripts/build/node-guard.mjs',
  'scripts/build/notices.mjs',
]

/** The global setup of jest. Makes no bundles if jest was called with paths of unit tests only. */
export default async function makeBundlesUnderTest({ nonFlagArgs }) {
  const needsBundles = nonFlagArgs.length === 0 || !nonFlagArgs.every((file) => isUnitTest(file))
  if (needsBundles) await makeFreshBundles()
  process.env['BUNDLES_UNDER_TEST'] = folder
}

function isUnitTest(file) {
  return /__tests__[\\/]unit\b/.test(file)
}

/** Returns the name and the files of each bundle. */
export async function readFreshBundles() {
  await makeFreshBundles()
  return Promise.all(Object.keys(entries).map(async (name) => ({ name, files: await read(name) })))
}

async function makeFreshBundles() {
  const names = Object.keys(entries)
  const fresh = await Promise.all(names.map((name) => isFresh(path.join(folder, name))))
  const stale = names.filter((_, index) => !fresh[index])
  if (stale.length > 0) console.log(`Building from the sources: ${stale.join(', ')}`)
  const waiting = stale.values()
  await Promise.all(Array.from({ length: availableParallelism() }, () => makeEach(waiting)))
}

async function read(name) {
  const target = path.join(folder, name)
  const files = (await readdir(target)).filter((file) => file !== madeFrom)
  const contents = files.map(async (file) => [file, await readFile(path.join(target, file))])
  return Object.fromEntries(await Promise.all(contents))
}

/** Makes bundles in one worker thread. Several calls share the iterator `names`. */
async function makeEach(names) {
  let thread
  for (const name of names) {
    thread ??= new Worker(threadFile)
    const made = once(thread, 'message')
    thread.postMessage(name)
    await keep(name, ...(await made))
  }
  await thread?.terminate()
}

async function keep(name, { files, modules }) {
  // Modules in node_modules need no hash, because `recipe` has the lock file.
  const own = modules.filter(
    (file) => file.startsWith(path.join(root, 'src') + path.sep) && file.endsWith('.ts'),
  )
  const made = await hashes([...own.map((file) => path.relative(root, file)), ...recipe])
  await replaceFolder(path.join(folder, name), { ...files, [madeFrom]: JSON.stringify(made) })
}

async function isFresh(target) {
  try {
    const made = JSON.parse(await readFile(path.join(target, madeFrom), 'utf8'))
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
