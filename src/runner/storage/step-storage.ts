/** The storage thread of a step: one for all that it stores, imported and started when it is used. */
import type { Environment } from '../inputs/environment.ts'
import type { Step } from '../step.ts'
import type { StorageThread } from './storage-thread.ts'

/** What a storage thread offers. */
export type Storage = Pick<
  StorageThread,
  'load' | 'upload' | 'find' | 'save' | 'saveFile' | 'restoreFile' | 'stop'
>

export type OpenStorage = (step: Step) => Promise<Storage>

const inThread: OpenStorage = async (step) => {
  const { openStorage } = await import('./storage-thread.ts')
  return openStorage(step)
}

export class StepStorage implements AsyncDisposable {
  readonly #step: Step
  readonly #open: OpenStorage
  #thread: Promise<Storage> | undefined

  /** Costs nothing until it is used. */
  constructor(step: Step, open: OpenStorage = inThread) {
    this.#step = step
    this.#open = open
  }

  /** The thread, whose clients are not loaded yet. */
  async open(): Promise<Storage> {
    this.#thread ??= this.#open(this.#step)
    return this.#thread
  }

  /** Loads the clients while something else is waited for: they are most of the action's weight. */
  async load(): Promise<Storage> {
    const thread = await this.open()
    thread.load()
    return thread
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#thread)?.stop()
  }
}

/** Whether the runner may offer a cache; the client, which knows GHES apart, has the last word. */
export function hasCacheService(environment: Environment): boolean {
  const { ACTIONS_CACHE_URL, ACTIONS_CACHE_SERVICE_V2, ACTIONS_RESULTS_URL } = environment
  return Boolean(ACTIONS_CACHE_URL) || Boolean(ACTIONS_CACHE_SERVICE_V2 && ACTIONS_RESULTS_URL)
}
