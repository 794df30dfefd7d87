/** The storage thread of a step: one for all that it stores, imported and started when it is used. */
import type { Environment } from '../inputs/environment.ts'
import type { Step } from '../step.ts'
import type { StorageThread } from './storage-thread.ts'

export class StepStorage implements AsyncDisposable {
  readonly #step: Step
  #thread: Promise<StorageThread> | undefined

  /** Costs nothing until it is used. */
  constructor(step: Step) {
    this.#step = step
  }

  /** The thread, whose clients are not loaded yet. */
  async open(): Promise<StorageThread> {
    this.#thread ??= import('./storage-thread.ts').then(({ openStorage }) =>
      openStorage(this.#step),
    )
    return this.#thread
  }

  /** Loads the clients while something else is waited for: they are most of the action's weight. */
  async load(): Promise<StorageThread> {
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
