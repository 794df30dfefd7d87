import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The actions by the names that the documentation's markers use, and their files. */
export const actionFiles = {
  run: 'action.yml',
  start: 'start/action.yml',
  wait: 'wait/action.yml',
  batch: 'batch/action.yml',
  'create-project': 'create-project/action.yml',
} as const
export type ActionName = keyof typeof actionFiles

export interface Described {
  description: string
}

export interface Input extends Described {
  required?: boolean
  default?: string
}

export interface ActionFile extends Described {
  name: string
  author: string
  branding: { icon: string; color: string }
  inputs: Record<string, Input>
  outputs: Record<string, Described>
  runs: { using: string; main: string }
}

/** @throws Error naming each input and output that says nothing about itself. */
export async function readActionFile(action: ActionName): Promise<ActionFile> {
  const file = actionFiles[action]
  const content = parse(await readFile(path.join(root, file), 'utf8')) as ActionFile
  const silent = [
    ...undescribed('input', content.inputs),
    ...undescribed('output', content.outputs),
  ]
  if (silent.length > 0) throw new Error(`${file}: no description of ${silent.join(', ')}`)
  return content
}

export async function readActionFiles(): Promise<Record<ActionName, ActionFile>> {
  return {
    run: await readActionFile('run'),
    start: await readActionFile('start'),
    wait: await readActionFile('wait'),
    batch: await readActionFile('batch'),
    'create-project': await readActionFile('create-project'),
  }
}

export function undescribed(kind: string, entries: Record<string, Partial<Described>>): string[] {
  return Object.entries(entries)
    .filter(([, entry]) => !entry.description?.trim())
    .map(([name]) => `${kind} ${name}`)
}
