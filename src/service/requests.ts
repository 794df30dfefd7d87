/** The bodies the service takes ("Start request", "Project"). */
export interface StartRequest {
  project: string
  automation: string
  /** The seed's JSON text: an object, sent as it is, character for character. */
  seed?: string
  /** Where the service delivers the final result. Omitted: the automation's default webhook. */
  webhook?: string
  webhookHeaders?: Record<string, string>
}

export interface CreateProjectRequest {
  region: string
  dockerVersion: string
  name: string
}
