// Bundles every entry with ncc into dist/<entry>/. Plain JavaScript, so that
// it runs on any Node, also where install scripts are switched off.
import ncc from '@vercel/ncc'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { noticesOf } from './build/notices.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

// What the toolkit imports for calls that no action makes: undici for proxied `fetch`, exec for the
// name of the operating system; and for its uploads the other halves of the artifact client, which
// find, download and delete. Together they are two thirds of the bundles and a third of the
// start-up time. A built-in module takes their place: what is imported from them is looked up only
// when such a call is made.
const unused = ['undici', '@actions/exec']
const unusedInUploads = [
  ...unused,
  '@actions/github',
  '@actions/github/lib/utils',
  '@octokit/plugin-request-log',
  '@octokit/plugin-retry',
  'unzip-stream',
]

/** Bundle name → its entry and what it leaves out. `upload` is the worker with the artifact client. */
const entries = {
  run: ['src/entries/run.ts', unused],
  start: ['src/entries/start.ts', unused],
  wait: ['src/entries/wait.ts', unused],
  'create-project': ['src/entries/create-project.ts', unused],
  upload: ['src/github/artifact/upload-worker.ts', unusedInUploads],
}

// All of it in memory first: a build that fails leaves the bundles that were there.
const files = []
for (const [name, [entry, leftOut]] of Object.entries(entries)) {
  const { code, assets, stats } = await ncc(path.join(root, entry), {
    ...{ esm: true, minify: true, transpileOnly: true, quiet: true, cache: false },
    externals: Object.fromEntries(leftOut.map((module) => [module, 'node:events'])),
  })
  const chunks = Object.entries(assets).map(([file, { source }]) => [file, source])
  const notices = ['licenses.txt', noticesOf(stats.compilation)]
  for (const [file, content] of [['index.js', code], notices, ...chunks]) {
    files.push({ file: path.join(root, 'dist', name, file), content })
  }
  console.log(`dist/${name}/index.js  ${(code.length / 1000).toFixed(0)} kB`)
}

await rm(path.join(root, 'dist'), { recursive: true, force: true })
for (const { file, content } of files) {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, content)
}
