// Makes the bundles with ncc. Plain JavaScript, so that it runs on any Node, also if install
// scripts are switched off.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { minify } from 'terser'
import { withEagerModules } from './eager-modules.mjs'
import { leftOutFile, leftOutStub } from './left-out.mjs'
import { withNodeGuard } from './node-guard.mjs'
import { noticesOf } from './notices.mjs'

export const root = fileURLToPath(new URL('../..', import.meta.url))

// The toolkit imports these packages for calls that the bundles do not make: OIDC tokens (with
// undici for proxies), the name of the operating system, and finding, downloading and deleting
// artifacts. Saving to the cache needs exec. A file that throws at each use takes their place.
const unused = ['@actions/http-client', '@actions/http-client/lib/auth', '@actions/exec']
const unusedInStorage = [
  'undici',
  '@actions/github',
  '@actions/github/lib/utils',
  '@octokit/plugin-request-log',
  '@octokit/plugin-retry',
  'unzip-stream',
]

/**
 * The entry of each bundle, the packages that it leaves out, and whether it is an ES module.
 * CommonJS starts faster, but the storage library of GitHub's clients needs `import.meta`. The
 * actions import `storage` and `commit-status` at run time, and CommonJS would hide their exports.
 * `result-check` is a worker.
 */
export const entries = {
  run: { entry: 'src/entries/run.ts', leftOut: unused, esm: false },
  start: { entry: 'src/entries/start.ts', leftOut: unused, esm: false },
  wait: { entry: 'src/entries/wait.ts', leftOut: unused, esm: false },
  batch: { entry: 'src/entries/batch.ts', leftOut: unused, esm: false },
  'create-project': { entry: 'src/entries/create-project.ts', leftOut: unused, esm: false },
  storage: { entry: 'src/runner/storage/storage-clients.ts', leftOut: unusedInStorage, esm: true },
  'commit-status': {
    entry: 'node_modules/@actions/github/lib/github.js',
    leftOut: [],
    esm: true,
  },
  'result-check': { entry: 'src/runner/result-schema/worker.ts', leftOut: [], esm: false },
}

/** The files of one bundle by name, and the absolute paths of the modules they were made from. */
export async function makeBundle(name) {
  const { entry, leftOut, esm } = entries[name]
  // Loaded here, because a caller that needs only names and folders should not wait for it.
  const { default: ncc } = await import('@vercel/ncc')
  const { code, assets, stats } = await ncc(path.join(root, entry), {
    ...{ esm, minify: false, transpileOnly: true, quiet: true, cache: false },
    externals: Object.fromEntries(leftOut.map((module) => [module, leftOutFile])),
  })
  const main = indexOf(await minified(code, esm), entries[name])
  const chunks = Object.entries(assets).map(async ([file, { source }]) => [
    file,
    file.endsWith('.js') ? await minified(source.toString(), esm) : source,
  ])
  return {
    files: {
      'index.js': main,
      ...Object.fromEntries(await Promise.all(chunks)),
      ...(leftOut.length > 0 && { 'left-out.js': leftOutStub(stats.compilation, { esm }) }),
      'licenses.txt': noticesOf(stats.compilation),
      'package.json': `${JSON.stringify({ type: esm ? 'module' : 'commonjs' })}\n`,
    },
    modules: [...stats.compilation.fileDependencies],
  }
}

/** Actions are the only bundles that a runner starts. */
function indexOf(code, { entry, esm }) {
  if (esm) return code
  const eager = withEagerModules(code)
  return entry.startsWith('src/entries/') ? withNodeGuard(eager) : eager
}

// ncc's own minifier removes no code. This one removes unused code, most of it zod's. Names stay
// readable in the stack of an error.
async function minified(code, esm) {
  const { code: small } = await minify(code, {
    module: esm,
    // Functions with arguments stay calls: of import((a, b)), which inlining makes, it loses the
    // parentheses.
    compress: { passes: 2, inline: 1 },
    mangle: { keep_classnames: true, keep_fnames: true },
    format: { comments: false },
  })
  return small
}

/** Replaces the files of `folder`, in one step at the end. */
export async function replaceFolder(folder, files) {
  const fresh = `${folder}.${process.pid}`
  await mkdir(fresh, { recursive: true })
  for (const [file, content] of Object.entries(files))
    await writeFile(path.join(fresh, file), content)
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder)
}
