/** "Execution status record": the four flags are all there is to say about a run's state. */
export interface Flags {
  finished: boolean
  error: boolean
  stopped: boolean
  container_error: boolean
}

export interface StatusRecord extends Flags {
  exec_uuid: string
  result_url: string | null
  logs_url: string | null
}

/** One scripted status answer: flags not named are false. `real` is the true state. */
export type ScriptedStatus = 'real' | Partial<StatusRecord>

/** All four flags, false where not named. */
export function flagsOf(named: { [Flag in keyof Flags]?: boolean | undefined }): Flags {
  const { finished = false, error = false, stopped = false, container_error = false } = named
  return { finished, error, stopped, container_error }
}
