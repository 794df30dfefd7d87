import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { z } from 'zod'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The file of each action, by the name of its page in docs/reference. */
export const actionFiles = {
  run: 'action.yml',
  start: 'start/action.yml',
  wait: 'wait/action.yml',
  batch: 'batch/action.yml',
  'create-project': 'create-project/action.yml',
} as const
export type ActionName = keyof typeof actionFiles

/** Actions, inputs and outputs must have a description. */
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

/** @throws ZodError that names each input and output without a description. */
export async function readActionFile(action: ActionName): Promise<ActionFile> {
  return actionFile.parse(parse(await readFile(path.join(root, actionFiles[action]), 'utf8')))
}

export async function readActionFiles(): Promise<Record<ActionName, ActionFile>> {
  const names = Object.keys(actionFiles) as ActionName[]
  const files = names.map(async (name) => [name, await readActionFile(name)] as const)
  return Object.fromEntries(await Promise.all(files)) as Record<ActionName, ActionFile>
}
