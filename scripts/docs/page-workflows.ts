/** The complete workflows that a page of the documentation shows, for those who run or check them. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from './action-files.ts'

export interface PageWorkflow {
  /** The heading that it stands under. */
  heading: string
  text: string
}

/** The page whose workflows are tested. */
export const batchPage = 'docs/batch.md'

export async function readPageWorkflows(page: string, folder = root): Promise<PageWorkflow[]> {
  return workflowsIn(await readFile(path.join(folder, page), 'utf8'))
}

/** Each YAML block that has `jobs`. */
export function workflowsIn(markdown: string): PageWorkflow[] {
  return markdown.split(/^## /m).flatMap((section) => {
    const heading = section.split('\n', 1)[0] ?? ''
    const blocks = [...section.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text)
    return blocks.filter((text) => /^jobs:$/m.test(text)).map((text) => ({ heading, text }))
  })
}

/** Writes a file for each workflow of a page, named after its heading, and gives their paths. */
export async function writePageWorkflows(page: string, folder: string): Promise<string[]> {
  const files = (await readPageWorkflows(page)).map(({ heading, text }) => {
    return { file: path.join(folder, `${heading.toLowerCase().replaceAll(' ', '-')}.yml`), text }
  })
  for (const { file, text } of files) await writeFile(file, text)
  return files.map(({ file }) => file)
}
