import { spawnSync } from 'node:child_process'
import { cp, glob, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

/** A checkout of the current files, and folders for all files that act writes. */
export interface Checkout extends AsyncDisposable {
  folder: string
  /** A folder with only the actions, as `uses: owner/repository@ref` fetches them. */
  actions: string
  /** A folder for other files. It is removed with the checkout. */
  base: string
  environment: NodeJS.ProcessEnv
}

/** A checkout that trials may write into, and the bare repository that it pushes to. */
export interface ClonedCheckout extends Checkout {
  origin: string
}

/** The repository that the examples name. */
export const repository = 'run-automation/run-automation'

const actionParts = ['action.yml', 'start', 'wait', 'batch', 'create-project', 'dist']

/** Makes a checkout in a temporary folder. Disposing removes the folder. */
export async function copyCheckout(root: string): Promise<Checkout> {
  const made = await makeTemporaryFolder()
  const base = made.path
  const at = (name: string) => path.join(base, name)
  const checkout = {
    folder: at('checkout'),
    actions: at('actions'),
    base,
    environment: await privateEnvironment(root, base),
    [Symbol.asyncDispose]: () => made[Symbol.asyncDispose](),
  }
  const leftOut = ['.git', 'node_modules'].map((name) => path.join(root, name))
  await cp(root, checkout.folder, { recursive: true, filter: (file) => !leftOut.includes(file) })
  await removeNewestSyntax(path.join(checkout.folder, 'examples'))
  for (const part of actionParts) {
    await cp(path.join(root, part), path.join(checkout.actions, part), { recursive: true })
  }
  // On Windows, a plain link to a folder needs a privilege, but a junction does not.
  const modules = path.join(checkout.folder, 'node_modules')
  await symlink(path.join(root, 'node_modules'), modules, 'junction')
  commitAll(checkout.actions)
  commitAll(checkout.folder)
  return checkout
}

/**
 * A line that GitHub has known since 2026 and act 0.2.87 refuses. A single run of a workflow does the
 * same without it. GitHub's language service checks the unchanged files.
 */
const newestSyntax = /^ +deployment: false\n/gm

async function removeNewestSyntax(folder: string): Promise<void> {
  for await (const name of glob('*.yml', { cwd: folder })) {
    const file = path.join(folder, name)
    await writeFile(file, (await readFile(file, 'utf8')).replace(newestSyntax, ''))
  }
}

/** Makes another checkout in a folder of its own, for one chain. It is removed with the first one. */
export function cloneCheckout(checkout: Checkout, folder: string): ClonedCheckout {
  const origin = `${folder}.git`
  git(checkout.base, 'clone', '--quiet', '--bare', checkout.folder, origin)
  git(checkout.base, 'clone', '--quiet', checkout.folder, folder)
  // act takes the repository's name from the address. `git push` writes to the bare repository.
  git(folder, 'remote', 'set-url', 'origin', `https://github.com/${repository}`)
  git(folder, 'config', 'remote.origin.pushurl', origin)
  return { ...checkout, folder, origin }
}

/** Returns variables with folders and settings only for act. The actions' Node is first on PATH. */
async function privateEnvironment(root: string, base: string): Promise<NodeJS.ProcessEnv> {
  const settings = path.join(base, 'settings')
  await mkdir(path.join(settings, 'act'), { recursive: true })
  // Without a settings file, act asks which images to use.
  await writeFile(path.join(settings, 'act', 'actrc'), '')
  const bin = path.join(root, 'node_modules', '.bin')
  return {
    ...process.env,
    PATH: [bin, process.env['PATH'] ?? ''].join(path.delimiter),
    HOME: path.join(base, 'home'),
    XDG_CONFIG_HOME: settings,
    XDG_CACHE_HOME: path.join(base, 'cache'),
  }
}

function commitAll(folder: string): void {
  git(folder, 'init', '--quiet', '--initial-branch', 'main')
  git(folder, 'config', 'user.name', 'test')
  git(folder, 'config', 'user.email', 'test@example.com')
  git(folder, 'config', 'commit.gpgsign', 'false')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message', 'The files as they are')
}

/**
 * Runs git and returns its output.
 * @throws Error with git's message if git fails.
 */
export function git(folder: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error) throw error
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`)
  return stdout
}
