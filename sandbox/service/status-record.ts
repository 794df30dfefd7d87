/** The state of a run. Source: docs/contributing/service.md, "Execution status record". */
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

/** A scripted status. Missing flags are false. `real` means the actual state of the run. */
export type ScriptedStatus = 'real' | Partial<StatusRecord>

/** Returns all four flags. Missing flags become false. */
export function flagsOf(named: { [Flag in keyof Flags]?: boolean | undefined }): Flags {
  const { finished = false, error = false, stopped = false, container_error = false } = named
  return { finished, error, stopped, container_error }
}
