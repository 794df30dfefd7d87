/** The complete workflows that a page shows, from the files that the tests run. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from './action-files.ts'

/** By marker: `example:push.yml` for `examples/push.yml`, for each that the page has. */
export async function readExamples(page: string): Promise<Map<string, string>> {
  const names = [...page.matchAll(/<!-- docs:example:(\S+) -->/g)].map(([, name = '']) => name)
  const blocks = names.map(async (name) => {
    const text = await readFile(path.join(root, 'examples', name), 'utf8')
    const fence = text.includes('```') ? '````' : '```'
    return [`example:${name}`, `${fence}yaml\n${text.trim()}\n${fence}`] as const
  })
  return new Map(await Promise.all(blocks))
}
