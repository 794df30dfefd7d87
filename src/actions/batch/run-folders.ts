/** The folders of a batch's runs, below its own. */
import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { BatchSeed } from '../../execution/batch/seed-list.ts'
import { runFolderName } from '../../messages/batch/run-folder.ts'
import { describeFileProblem } from '../../messages/file-problem.ts'
import type { Show } from '../../messages/text/secrets.ts'

export class RunFolders {
  /** The batch's own folder. */
  readonly folder: string
  readonly #show: Show
  /** How many executions of a run have put files into its folder that were not removed yet. */
  readonly #uses = new Map<string, number>()

  constructor(folder: string, show: Show) {
    this.folder = folder
    this.#show = show
  }

  pathOf({ index, label }: Pick<BatchSeed, 'index' | 'label'>): string {
    return path.join(this.folder, runFolderName(index, label, this.#show))
  }

  /** The run's folder, empty: what an execution before a retry left in it goes away. */
  async make(seed: BatchSeed): Promise<string> {
    const folder = this.pathOf(seed)
    const uses = this.#uses.get(folder) ?? 0
    try {
      if (uses > 0) await rm(folder, { recursive: true, force: true })
      await mkdir(folder, { recursive: true })
    } catch (error) {
      throw new Error(`there is no folder for it: ${describeFileProblem(error)}`, { cause: error })
    }
    this.#uses.set(folder, uses + 1)
    return folder
  }

  /** Of an execution that another one followed: where that one has the folder, nothing is left to do. */
  async remove(folder: string): Promise<void> {
    const uses = this.#uses.get(folder) ?? 0
    this.#uses.set(folder, uses - 1)
    if (uses === 1) await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }

  /** The run is over: no other execution of it follows. */
  close(seed: BatchSeed): void {
    this.#uses.delete(this.pathOf(seed))
  }

  /** Every file that is whole, relative to the batch's folder. */
  async files(): Promise<string[]> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
      .map(({ parentPath, name }) => path.relative(this.folder, path.join(parentPath, name)))
      .toSorted()
  }
}
