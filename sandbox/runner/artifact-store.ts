import { createHash } from 'node:crypto'
import { unzipSync } from 'fflate'
import { newBlob, type Blob } from './blobs.ts'

/** An artifact as the page of the workflow run offers it. */
export interface UploadedArtifact {
  name: string
  id: number
  /** Contents by path in the archive. */
  readonly files: Record<string, Buffer>
  /** Bytes as uploaded. */
  size: number
  /** `sha256:` and the hexadecimal hash of the bytes as uploaded. */
  digest: string
  /** Undefined if the upload did not set it, so that the repository's setting decides. */
  retentionDays: number | undefined
}

/** An upload between its creation and its end. */
interface Upload extends Blob {
  name: string
  retentionDays: number | undefined
}

const day = 24 * 60 * 60 * 1000
// The service's artifact ids are large numbers, so no code may rely on small ones.
const firstId = 4242

/** The artifacts of one workflow run: a name is taken once it is published. */
export class ArtifactStore {
  readonly artifacts: UploadedArtifact[] = []
  readonly #uploads: Upload[] = []

  has(name: string): boolean {
    return this.artifacts.some((artifact) => artifact.name === name)
  }

  begin(name: string, expiresAt: string | undefined): Upload {
    const left = expiresAt === undefined ? undefined : Date.parse(expiresAt) - Date.now()
    const upload = { ...newBlob(), name, retentionDays: left && Math.round(left / day) }
    this.#uploads.push(upload)
    return upload
  }

  find(blob: string): Upload | undefined {
    return this.#uploads.find((upload) => upload.blob === blob)
  }

  /** Returns the last upload with this name that is not finalized yet, or undefined. */
  findUploaded(name: string): UploadedArtifact | undefined {
    const upload = this.#uploads.findLast((one) => one.name === name && one.content)
    if (!upload?.content) return undefined
    const { retentionDays, content } = upload
    let files: Record<string, Buffer> | undefined
    return {
      name,
      id: firstId + this.artifacts.length,
      get files() {
        files ??= unzip(content)
        return files
      },
      size: content.length,
      digest: `sha256:${createHash('sha256').update(content).digest('hex')}`,
      retentionDays,
    }
  }

  publish(artifact: UploadedArtifact): void {
    this.artifacts.push(artifact)
  }
}

function unzip(archive: Buffer): Record<string, Buffer> {
  const files = Object.entries(unzipSync(archive, { filter: ({ name }) => !name.endsWith('/') }))
  return Object.fromEntries(files.map(([name, content]) => [name, Buffer.from(content)]))
}
