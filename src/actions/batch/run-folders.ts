/** Makes the folder of a batch and, in that folder, one folder for each run. */
import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { BatchSeed } from '../../execution/batch/batch-types.ts'
import type { Show } from '../../messages/text/secrets.ts'
import type { Step } from '../../runner/step.ts'
import { makeEmptyFolder, partial } from '../../runner/files.ts'
import { prepareFolder } from '../../runner/preflight.ts'

const maxNameLength = 60

export class RunFolders {
  readonly stepFolder: string
  /** The path of the batch's folder, which contains one folder for each run. */
  readonly folder: string
  readonly #show: Show

  /** @throws ActionError if the folder of the batch cannot be made. Then no run is started. */
  static async make({ environment, secrets }: Step): Promise<RunFolders> {
    const folders = new RunFolders(await prepareFolder(environment), secrets.show)
    await mkdir(folders.folder)
    return folders
  }

  constructor(stepFolder: string, show: Show) {
    this.stepFolder = stepFolder
    this.folder = path.join(stepFolder, 'runs')
    this.#show = show
  }

  /** Makes an empty folder for a run. Removes the files of an earlier execution of this run. */
  async makeFor(seed: BatchSeed): Promise<string> {
    const folder = path.join(this.folder, runFolderName(seed.number, this.#show(seed.label ?? '')))
    return await makeEmptyFolder(folder)
  }

  /** Returns the paths of all complete files, relative to the batch's folder. */
  async files(): Promise<string[]> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith(partial))
      .map(({ parentPath, name }) => path.relative(this.folder, path.join(parentPath, name)))
      .toSorted()
  }
}

/**
 * Returns a name such as `12-Berlin` that all file systems and the artifact service accept. The
 * number makes the name unique, and avoids the names that Windows reserves for devices. Accents are
 * removed from Latin letters. Characters other than ASCII letters, digits, `.`, `_` and `-` become
 * hyphens. `label` is redacted.
 */
export function runFolderName(number: number, label: string): string {
  const safe = label
    // A very long label is cut first, so that the replacements below stay fast.
    .slice(0, 4 * maxNameLength)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/-{2,}/g, '-')
  const name = safe.replace(/^[-._]+/, '').slice(0, maxNameLength - `${number}-`.length)
  return `${number}-${name}`.replace(/[-._]+$/, '')
}
