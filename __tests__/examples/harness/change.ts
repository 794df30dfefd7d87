/** Changes the checkout of a chain before a trial. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { git } from './checkout.ts'
import type { Setup } from './setup.ts'

/** Writes a file into the checkout. */
export async function write({ checkout }: Setup, file: string, text: string): Promise<undefined> {
  await writeFile(path.join(checkout.folder, file), text)
}

/** Replaces texts of an example. Throws if a text is missing. */
export async function change(
  setup: Setup,
  name: string,
  texts: Record<string, string>,
): Promise<undefined> {
  const file = path.join('examples', name)
  let text = await readFile(path.join(setup.checkout.folder, file), 'utf8')
  for (const [from, to] of Object.entries(texts)) {
    assert.ok(text.includes(from), `${name} has no ${from}`)
    text = text.replaceAll(from, to)
  }
  await write(setup, file, text)
}

/** Returns a function that makes each `git push` of the chain fail, or succeed again. */
export function refusePushes(isRefused: boolean) {
  return ({ checkout: { folder, origin } }: Setup): undefined => {
    git(folder, 'config', 'remote.origin.pushurl', isRefused ? `${origin}-gone` : origin)
  }
}
