// `npm run lint:workflows`: actionlint and zizmor over every workflow, action.yml and example, those
// that a page of the documentation shows among them.
import { spawnSync } from 'node:child_process'
import { glob, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { batchPage, writePageWorkflows } from './docs/page-workflows.ts'
import { findProgram } from './find-program.ts'

const root = path.resolve(import.meta.dirname, '..')
await using shown = await mkdtempDisposable(path.join(tmpdir(), 'page-workflows-'))
const workflows = [
  ...(await list('.github/workflows/*.yml', 'examples/*.yml')),
  ...(await writePageWorkflows(batchPage, shown.path)),
]
const actions = await list('action.yml', '*/action.yml', '.github/actions/*/action.yml')

const judges = [
  {
    name: 'actionlint',
    args: workflows,
    source: 'go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12',
  },
  {
    name: 'zizmor',
    args: [
      ...['--quiet', '--offline', '--no-progress', '--persona', 'pedantic'],
      ...['--config', '.github/zizmor.yml', '.github/dependabot.yml', ...workflows, ...actions],
    ],
    source: 'pip install zizmor==1.32.0',
  },
]

for (const { name, args, source } of judges) {
  const program = await findProgram(name, process.env)
  if (program === undefined) fail(`${name} is not on this machine. Get it with\n  ${source}`)
  else if (!passes(program, args)) fail(`${name} has findings`)
  else console.log(`${name}: nothing to find in ${workflows.length} workflows`)
}

async function list(...patterns: string[]): Promise<string[]> {
  const files: string[] = []
  for await (const file of glob(patterns, { cwd: root, exclude: ['node_modules'] })) {
    files.push(file)
  }
  if (files.length === 0) throw new Error(`No file matches ${patterns.join(' or ')}`)
  return files.sort()
}

function passes(program: string, args: string[]): boolean {
  return spawnSync(program, args, { cwd: root, stdio: 'inherit' }).status === 0
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}
