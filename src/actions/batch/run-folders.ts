/** The folders of a batch's runs, below its own. */
import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { BatchSeed } from '../../execution/batch/batch.ts'
import { describeFileProblem } from '../../errors.ts'
import type { Show } from '../../messages/text/secrets.ts'
import type { Step } from '../../runner/step.ts'
import { partial } from '../../runner/files.ts'
import { makeStepFolder } from '../../runner/workspace.ts'
import { nothingStarted } from '../../messages/annotation.ts'

const maxNameLength = 60

export class RunFolders {
  /** The batch's own folder. */
  readonly folder: string
  readonly #show: Show

  /** @throws ActionError if the disk cannot store anything. Then no run is started. */
  static async make(automation: string, { environment, secrets }: Step): Promise<RunFolders> {
    try {
      const folder = path.join(await makeStepFolder(environment), 'runs')
      await mkdir(folder)
      return new RunFolders(folder, secrets.show)
    } catch (error) {
      throw nothingStarted(automation, error)
    }
  }

  constructor(folder: string, show: Show) {
    this.folder = folder
    this.#show = show
  }

  /** Makes the run's folder empty. Removes the files of an execution before a retry. */
  async make(seed: BatchSeed): Promise<string> {
    const folder = path.join(this.folder, runFolderName(seed.index, seed.label, this.#show))
    try {
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder, { recursive: true })
      return folder
    } catch (error) {
      throw new Error(`there is no folder for it: ${describeFileProblem(error)}`, { cause: error })
    }
  }

  /** Every file that is whole, relative to the batch's folder. */
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
 * number makes it unique, and prevents the names of Windows' devices. Accents are removed from
 * Latin letters. All other characters except ASCII letters and digits become hyphens.
 */
export function runFolderName(index: number, label: string | undefined, show: Show): string {
  const safe = show(label ?? '')
    // More than can be kept, so that a label of any size takes little work.
    .slice(0, 4 * maxNameLength)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/-{2,}/g, '-')
  const number = String(index + 1)
  const name = safe.replace(/^[-._]+/, '').slice(0, maxNameLength - number.length - 1)
  return `${number}-${name}`.replace(/[-._]+$/, '')
}
