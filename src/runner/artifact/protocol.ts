/** What an upload takes, and what it came to. */
export interface UploadOrder {
  name: string
  /** Absolute paths below `folder`; the artifact holds them by their path relative to it. */
  files: string[]
  folder: string
  /** Days; undefined leaves it to the repository's setting. */
  retentionDays: number | undefined
}

export type UploadReport =
  | { kind: 'uploaded'; id: number | undefined; digest: string | undefined }
  | { kind: 'failed'; name: string; message: string }
