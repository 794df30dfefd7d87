// The bundles of this repository, made with ncc. Plain JavaScript, so that it runs on any Node,
// also where install scripts are switched off.
import ncc from '@vercel/ncc'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { noticesOf } from './notices.mjs'

export const root = fileURLToPath(new URL('../..', import.meta.url))

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
export const entries = {
  run: ['src/entries/run.ts', unused],
  start: ['src/entries/start.ts', unused],
  wait: ['src/entries/wait.ts', unused],
  'create-project': ['src/entries/create-project.ts', unused],
  upload: ['src/github/artifact/upload-worker.ts', unusedInUploads],
}

/** The files of one bundle by name, and the absolute paths of the modules they were made from. */
export async function makeBundle(name) {
  const [entry, leftOut] = entries[name]
  const { code, assets, stats } = await ncc(path.join(root, entry), {
    ...{ esm: true, minify: true, transpileOnly: true, quiet: true, cache: false },
    externals: Object.fromEntries(leftOut.map((module) => [module, 'node:events'])),
  })
  const chunks = Object.entries(assets).map(([file, { source }]) => [file, source])
  return {
    files: {
      'index.js': code,
      'licenses.txt': noticesOf(stats.compilation),
      ...Object.fromEntries(chunks),
    },
    modules: [...stats.compilation.fileDependencies],
  }
}

/** Puts files into `folder` in the place of what was there, in one step at the end. */
export async function replaceFolder(folder, files) {
  const fresh = `${folder}.${process.pid}`
  await mkdir(fresh, { recursive: true })
  for (const [file, content] of Object.entries(files))
    await writeFile(path.join(fresh, file), content)
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder)
}
