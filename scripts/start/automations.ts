/** The automations that the sandbox offers. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from '../docs/action-files.ts'

const folder = path.join(root, 'sandbox', 'automations')

/** Returns the first sentence of each automation's file, by name. */
export async function readAutomations(): Promise<Map<string, string>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts')).sort()
  const described = files.map(async (file) => {
    const text = await readFile(path.join(folder, file), 'utf8')
    const comment = /\/\*\*(.*?)\*\//s.exec(text)?.[1] ?? ''
    const words = comment.replaceAll(/\s*\n \* ?|\s+/g, ' ').trim()
    const [sentence = ''] = /^.*?\.(?= |$)/.exec(words) ?? [words]
    return [path.basename(file, '.ts'), sentence] as const
  })
  return new Map(await Promise.all(described))
}

export function describeAutomations(automations: ReadonlyMap<string, string>): string {
  const width = Math.max(...[...automations.keys()].map(({ length }) => length))
  return [...automations].map(([name, words]) => `  ${name.padEnd(width)}  ${words}`).join('\n')
}
