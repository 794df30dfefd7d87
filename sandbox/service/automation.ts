/** The types for the files in `sandbox/automations`. Each file exports its core task as default. */

/** A result with its content type. An iterable body is streamed, so it is never whole in memory. */
export interface TypedResult {
  contentType: string
  body: string | Uint8Array | AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>
}

export interface AutomationContext {
  /** The seed's JSON text as the service received it. Undefined if the start had no seed. */
  seedText: string | undefined
  /** A folder that all runs of the sandbox share. The folder is removed when the sandbox closes. */
  sandboxFolder: string
}

/** An error with a traceback in the format of Python. The traceback is printed unchanged. */
export class PythonError extends Error {
  readonly traceback: string

  constructor(traceback: string) {
    super(traceback)
    this.traceback = traceback
  }
}

/** A core task. `seed` is `{}` if the start had no seed. If the task throws, the run has failed. */
export type Automation<Seed> = (seed: Seed, context: AutomationContext) => unknown
