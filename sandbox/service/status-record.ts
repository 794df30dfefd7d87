import { z } from 'zod'

/** "Execution status record": the four flags are all there is to say about a run's state. */
const flagsSchema = z.object({
  finished: z.boolean(),
  error: z.boolean(),
  stopped: z.boolean(),
  container_error: z.boolean(),
})
export type Flags = z.infer<typeof flagsSchema>

const statusRecordSchema = flagsSchema.extend({
  exec_uuid: z.string(),
  result_url: z.string().nullable(),
  logs_url: z.string().nullable(),
})
export type StatusRecord = z.infer<typeof statusRecordSchema>

/** One scripted status answer: flags not named are false. `real` is the true state. */
export const scriptedStatusSchema = z.union([z.literal('real'), statusRecordSchema.partial()])
export type ScriptedStatus = z.input<typeof scriptedStatusSchema>

/** All four flags, false where not named. */
export function flagsOf(named: { [Flag in keyof Flags]?: boolean | undefined }): Flags {
  const { finished = false, error = false, stopped = false, container_error = false } = named
  return { finished, error, stopped, container_error }
}

/** Gives one entry per status call; the last one stays. */
export class StatusScript {
  readonly #entries: ScriptedStatus[]

  constructor(entries: readonly ScriptedStatus[]) {
    this.#entries = [...entries]
  }

  next(): ScriptedStatus {
    const entry = this.#entries.length > 1 ? this.#entries.shift() : this.#entries[0]
    return entry ?? 'real'
  }
}
