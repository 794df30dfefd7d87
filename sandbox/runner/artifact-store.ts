import { createHash } from 'node:crypto'
import { unzipSync } from 'fflate'
import { newBlob, type Blob } from './blobs.ts'

/** An uploaded artifact, unpacked. */
export interface UploadedArtifact {
  name: string
  id: number
  /** The contents of the files, by their paths in the archive. */
  readonly files: Record<string, Buffer>
  /** The number of uploaded bytes. */
  size: number
  /** `sha256:` and the hexadecimal hash of the uploaded bytes. */
  digest: string
  /** Undefined if the upload did not set a retention. Then the repository's setting applies. */
  retentionDays: number | undefined
}

interface Upload extends Blob {
  name: string
  retentionDays: number | undefined
}

const day = 24 * 60 * 60 * 1000
// GitHub's artifact ids are large numbers. The code must not depend on small ids.
const firstId = 4242

/**
 * What happens to the name of an artifact that was created and never finalized: the name is `free`,
 * or it is taken. If it is taken, the artifact is `listed`, or `kept` (it is listed and cannot be
 * deleted), or `hidden` from the list.
 */
export type Unfinished = 'free' | 'listed' | 'kept' | 'hidden'

/** The artifacts of one workflow run. A name is taken when its artifact is published. */
export class ArtifactStore {
  readonly artifacts: UploadedArtifact[] = []
  unfinished: Unfinished = 'free'
  #uploads: Upload[] = []
  #published = 0

  has(name: string): boolean {
    const isUnfinished = this.#uploads.some((upload) => upload.name === name)
    return this.#isPublished(name) || (isUnfinished && this.unfinished !== 'free')
  }

  /** Returns the ids of the artifacts with this name. */
  list(name: string): number[] {
    const isShown = this.#isPublished(name) || ['listed', 'kept'].includes(this.unfinished)
    return this.has(name) && isShown ? [firstId] : []
  }

  /** Deletes an artifact. Returns its id, or undefined if it cannot be deleted. */
  delete(name: string): number | undefined {
    if (!this.#isPublished(name) && this.unfinished === 'kept') return undefined
    const [id] = this.list(name)
    if (id === undefined) return undefined
    const others = this.artifacts.filter((artifact) => artifact.name !== name)
    this.artifacts.splice(0, Infinity, ...others)
    this.#uploads = this.#uploads.filter((upload) => upload.name !== name)
    return id
  }

  #isPublished(name: string): boolean {
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

  /** Returns the artifact of the newest upload with this name, or undefined if no bytes arrived. */
  findUploaded(name: string): UploadedArtifact | undefined {
    const upload = this.#uploads.findLast((one) => one.name === name && one.content)
    if (!upload?.content) return undefined
    const { retentionDays, content } = upload
    let files: Record<string, Buffer> | undefined
    return {
      name,
      id: firstId + this.#published,
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
    this.#published += 1
  }
}

function unzip(archive: Buffer): Record<string, Buffer> {
  const files = Object.entries(unzipSync(archive, { filter: ({ name }) => !name.endsWith('/') }))
  return Object.fromEntries(files.map(([name, content]) => [name, Buffer.from(content)]))
}
