// Makes the bundles with ncc.
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
// artifacts. left-out.mjs replaces them. `storage` keeps exec, because saving to the cache needs it.
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
  actions: { entry: 'src/entries/actions.ts', leftOut: unused, esm: false },
  storage: { entry: 'src/runner/storage/clients.ts', leftOut: unusedInStorage, esm: true },
  'commit-status': {
    entry: 'node_modules/@actions/github/lib/github.js',
    leftOut: [],
    esm: true,
  },
  'result-check': { entry: 'src/runner/result-schema/worker.ts', leftOut: [], esm: false },
}

// `main` of each action.yml is one of these files. All five actions share one bundle.
const programs = Object.fromEntries(
  ['run', 'start', 'wait', 'batch', 'create-project'].map((action) => [
    `${action}.js`,
    withNodeGuard(`require('./index.js').actions['${action}']()\n`),
  ]),
)

/** Returns the files of one bundle by name, and the absolute paths of its source modules. */
export async function makeBundle(name) {
  const { entry, leftOut, esm } = entries[name]
  // Imported here, because a caller that needs only names and folders should not wait for ncc.
  const { default: ncc } = await import('@vercel/ncc')
  const { code, assets, stats } = await ncc(path.join(root, entry), {
    ...{ esm, minify: false, transpileOnly: true, quiet: true, cache: false },
    externals: Object.fromEntries(leftOut.map((module) => [module, leftOutFile])),
  })
  const small = await minified(code, esm)
  const chunks = Object.entries(assets).map(async ([file, { source }]) => [
    file,
    file.endsWith('.js') ? await minified(source.toString(), esm) : source,
  ])
  return {
    files: {
      'index.js': esm ? small : withEagerModules(small),
      ...(name === 'actions' && programs),
      ...Object.fromEntries(await Promise.all(chunks)),
      ...(leftOut.length > 0 && { 'left-out.js': leftOutStub(stats.compilation, { esm }) }),
      'licenses.txt': noticesOf(stats.compilation),
      'package.json': `${JSON.stringify({ type: esm ? 'module' : 'commonjs' })}\n`,
    },
    modules: [...stats.compilation.fileDependencies],
  }
}

// terser removes unused code, most of it from zod. ncc's own minifier removes none. Names stay
// readable in stack traces.
async function minified(code, esm) {
  const { code: small } = await minify(code, {
    module: esm,
    // `inline: 1` inlines only functions without arguments. Others can make import((a, b)), which terser
    // prints without the inner parentheses.
    compress: { passes: 2, inline: 1 },
    mangle: { keep_classnames: true, keep_fnames: true },
    format: { comments: false },
  })
  return small
}

/** Replaces a folder by one with these files. The old folder stays until all files are written. */
export async function replaceFolder(folder, files) {
  const fresh = `${folder}.${process.pid}`
  await mkdir(fresh, { recursive: true })
  for (const [file, content] of Object.entries(files))
    await writeFile(path.join(fresh, file), content)
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder)
}
