import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Answer } from '../http/answer.ts'

export interface StoredFile {
  path: string
  contentType: string
}

/** Returns a file as an object store does. */
export async function answerFile({ path, contentType }: StoredFile): Promise<Answer> {
  const { size: length } = await stat(path)
  const headers = { 'content-type': contentType }
  return { status: 200, headers, body: { length, read: () => createReadStream(path) } }
}
