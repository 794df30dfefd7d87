/** What a file under `sandbox/automations/` is: a module whose default export is its core task. */

/** A result that says what it is. A body of pieces is streamed, never held whole in memory. */
export interface TypedResult {
  contentType: string
  body: string | Uint8Array | AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>
}

export interface AutomationContext {
  /** The seed's JSON text as the service received it; undefined when the start had none. */
  seedText: string | undefined
  /** A folder that all runs of the sandbox share; it goes away with the sandbox. */
  sandboxFolder: string
}

/** May be async. The seed is the task's first argument, `{}` when the start had none. A throw is the run's error. */
export type Automation<Seed> = (seed: Seed, context: AutomationContext) => unknown
