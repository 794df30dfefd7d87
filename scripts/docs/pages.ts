/** Reads the pages that have generated text. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { format, resolveConfig } from 'prettier'
import { readActionFiles, root } from './action-files.ts'
import { fillBlocks } from './fill.ts'
import { messageBlocks } from './messages/blocks.ts'
import { makeReference } from './reference.ts'

export interface Page {
  file: string
  text: string
  /** The text with the generated parts made again. */
  made: string
}

export async function readPages(): Promise<Page[]> {
  const reference = makeReference(await readActionFiles())
  const pages = [...reference, ['docs/troubleshooting.md', await messageBlocks()] as const]
  return Promise.all(pages.map(([file, blocks]) => readPage(file, blocks)))
}

async function readPage(file: string, blocks: ReadonlyMap<string, string>): Promise<Page> {
  const filepath = path.join(root, file)
  const text = await readFile(filepath, 'utf8')
  // Formatted by prettier, so that formatting a page does not make it stale.
  const options = { ...(await resolveConfig(filepath)), filepath }
  return { file, text, made: await format(fillBlocks(text, blocks), options) }
}
