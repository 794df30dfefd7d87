/** What a thread of the action and the thread that it works for tell each other. */

/** What can be asked for, by name: what a request takes, and what is reported for it. */
export type Services<All> = { [Name in keyof All]: { order: unknown; report: unknown } }

/** Several requests may be under way at once; their ids keep them apart. */
export interface WorkerRequest {
  id: number
  service: string
  order: unknown
}

export type WorkerMessage =
  /** A line that a client printed for this request, as it was printed. */
  | { id: number; kind: 'line'; line: string }
  /** Bytes of this request came or went. */
  | { id: number; kind: 'progress' }
  | { id: number; kind: 'report'; report: unknown }
  | { id: number; kind: 'failure'; name: string; message: string }
