/**
 * The type of the files in `sandbox/automations/`: a module whose default export is its core task.
 */

/**
 * A result with its content type. A body of pieces is streamed, so it is never complete in memory.
 */
export interface TypedResult {
  contentType: string
  body: string | Uint8Array | AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>
}

export interface AutomationContext {
  /** The seed's JSON text as the service received it. Undefined if the start had no seed. */
  seedText: string | undefined
  /** A folder that all runs of the sandbox share. It is removed with the sandbox. */
  sandboxFolder: string
}

/** An error whose traceback is printed as it is given, in the words of Python. */
export class PythonError extends Error {
  readonly traceback: string

  constructor(traceback: string) {
    super(traceback)
    this.traceback = traceback
  }
}

/** May be async. The seed is the task's first argument, `{}` when the start had none. A throw is the run's error. */
export type Automation<Seed> = (seed: Seed, context: AutomationContext) => unknown
