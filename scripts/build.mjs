// Bundles every entry with ncc into dist/<entry>/. Plain JavaScript, so that
// it runs on any Node, also where install scripts are switched off.
import ncc from '@vercel/ncc'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

const root = path.resolve(
  import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname),
  '..',
)

/** Bundle name → its entry. `upload` is the worker that carries the artifact client. */
const entries = {
  run: 'src/entries/run.ts',
  start: 'src/entries/start.ts',
  wait: 'src/entries/wait.ts',
  'create-project': 'src/entries/create-project.ts',
  upload: 'src/github/artifact/upload-worker.ts',
}

await rm(path.join(root, 'dist'), { recursive: true, force: true })
for (const [name, entry] of Object.entries(entries)) {
  const { code, assets } = await ncc(path.join(root, entry), {
    license: 'licenses.txt',
    minify: true,
    esm: true,
    transpileOnly: true,
    quiet: true,
    cache: false,
  })
  const folder = path.join(root, 'dist', name)
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'index.js'), code)
  for (const [file, { source }] of Object.entries(assets)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
    await writeFile(path.join(folder, file), source)
  }
  // A folder-local package.json keeps the bundle ESM wherever it is copied to.
  console.log(`dist/${name}/index.js  ${(code.length / 1024).toFixed(0)} KiB`)
}
