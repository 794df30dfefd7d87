/** Writes the ref of this repository into the files that people copy from, or that link to a page. */
import { globSync } from 'node:fs'
import path from 'node:path'
import { ref } from '../../src/version.ts'
import { root } from './action-files.ts'

const named = [
  '*.md',
  'action.yml',
  '*/action.yml',
  'docs/**/*.md',
  'examples/**/*.{md,yml}',
  '.github/**/*.yml',
  'scripts/build/node-guard.mjs',
]

/** The files that may name the ref, as paths from the root. */
export const filesWithRef: readonly string[] = globSync(named, {
  cwd: root,
  exclude: ['node_modules/**', 'real/**', 'CHANGELOG.md'],
}).map((file) => file.split(path.sep).join('/'))

const repository = 'run-automation/run-automation'
const inUses = new RegExp(`(${repository}(?:/[a-z-]+)?@)(?:main|v\\d+)(?![\\w.])`, 'g')
const inAddress = new RegExp(`(${repository}/(?:blob|tree)/)(?:main|v\\d+)(?=/)`, 'g')

/** Returns the text with the current ref in place of each branch or major tag of this repository. */
export function withRef(text: string): string {
  return text.replace(inUses, `$1${ref}`).replace(inAddress, `$1${ref}`)
}
