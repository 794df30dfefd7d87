/** Reads the pages that have generated text, and the files that name the ref of this repository. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { format, resolveConfig } from 'prettier'
import { readActionFiles, root } from './action-files.ts'
import { messageBlocks } from './messages/blocks.ts'
import { makeReference } from './reference.ts'
import { filesWithRef, withRef } from './refs.ts'
import { expectAllBounds, withBounds } from './write-bounds.ts'

export interface Page {
  file: string
  text: string
  /** The text with the generated parts made again. */
  made: string
}

export async function readPages(): Promise<Page[]> {
  const reference = makeReference(await readActionFiles())
  const blocks = new Map([
    ...reference,
    ['docs/troubleshooting.md', await messageBlocks()] as const,
  ])
  const pages = await Promise.all(
    filesWithRef.map((file) => readPage(file, blocks.get(file) ?? new Map())),
  )
  expectAllBounds(pages.map(({ made }) => made))
  return pages
}

async function readPage(file: string, blocks: ReadonlyMap<string, string>): Promise<Page> {
  const filepath = path.join(root, file)
  const text = await readFile(filepath, 'utf8')
  const made = withBounds(withRef(fillBlocks(text, blocks)))
  if (made === text) return { file, text, made }
  // Formatted by prettier, so that formatting a page does not make it stale.
  const options = { ...(await resolveConfig(filepath)), filepath }
  return { file, text, made: await format(made, options) }
}

/**
 * Replaces the text between `<!-- docs:NAME -->` and `<!-- /docs:NAME -->` for each block.
 * @throws Error unless the text has both markers of each block once, in this order.
 */
function fillBlocks(text: string, blocks: ReadonlyMap<string, string>): string {
  return [...blocks].reduce((filled, [name, content]) => {
    const [opening, closing] = [`<!-- docs:${name} -->`, `<!-- /docs:${name} -->`]
    const [before = '', , ...others] = filled.split(opening)
    const [old, after, ...more] = filled.slice(before.length).split(closing)
    if (!old?.startsWith(opening) || after === undefined || others.length + more.length > 0) {
      throw new Error(`the page must have ${opening} and ${closing} once, in this order`)
    }
    return `${before}${opening}\n\n${content}\n\n${closing}${after}`
  }, text)
}
