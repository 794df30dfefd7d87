import path from 'node:path'
import { format, resolveConfig } from 'prettier'
import { root } from './action-files.ts'

/** The blocks as prettier writes them, so that formatting the document is no drift. */
export async function prettify(blocks: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const config = await resolveConfig(path.join(root, 'README.md'))
  const pretty = [...blocks].map(
    async ([name, content]) =>
      [name, await format(content, { ...config, parser: 'markdown' })] as const,
  )
  return new Map(await Promise.all(pretty))
}
