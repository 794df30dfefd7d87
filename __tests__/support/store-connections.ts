import { HttpStore } from '../../src/service/store.ts'
import { patient } from './patient-signal.ts'
import { userAgent } from './connections.ts'

/** The object store's client, impatient enough for a test. */
export const impatientStore = () => new HttpStore(userAgent, 150)

/** Opens a link and reads it to its end. */
export async function readLink(link: string, headers: Record<string, string> = {}) {
  const opened = await new HttpStore(userAgent, 2_000).open(link, headers, patient)
  const chunks: Buffer[] = []
  for await (const chunk of opened.body) chunks.push(chunk)
  opened.close()
  return { ...opened, text: Buffer.concat(chunks).toString('utf8') }
}
