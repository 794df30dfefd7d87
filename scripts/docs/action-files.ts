import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { z } from 'zod'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The actions by the names of their pages, and their files. */
export const actionFiles = {
  run: 'action.yml',
  start: 'start/action.yml',
  wait: 'wait/action.yml',
  batch: 'batch/action.yml',
  'create-project': 'create-project/action.yml',
} as const
export type ActionName = keyof typeof actionFiles

/** Nothing goes without a description. */
const output = z.object({ description: z.string().trim().min(1) })
const input = output.extend({
  required: z.boolean().exactOptional(),
  default: z.string().exactOptional(),
})
export type Input = z.infer<typeof input>

export const actionFile = output.extend({
  name: z.string(),
  author: z.string(),
  branding: z.object({ icon: z.string(), color: z.string() }),
  inputs: z.record(z.string(), input),
  outputs: z.record(z.string(), output),
  runs: z.object({ using: z.string(), main: z.string() }),
})
export type ActionFile = z.infer<typeof actionFile>

/** @throws ZodError naming each input and output that says nothing about itself. */
export async function readActionFile(action: ActionName): Promise<ActionFile> {
  return actionFile.parse(parse(await readFile(path.join(root, actionFiles[action]), 'utf8')))
}

export async function readActionFiles(): Promise<Record<ActionName, ActionFile>> {
  const names = Object.keys(actionFiles) as ActionName[]
  const files = names.map(async (name) => [name, await readActionFile(name)] as const)
  return Object.fromEntries(await Promise.all(files)) as Record<ActionName, ActionFile>
}
