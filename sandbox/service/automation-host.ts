/**
 * Runs one automation in its own process, like the container of a real execution. The arguments are
 * the automation's file, the repository's root and a folder. Reads `seed.json` from the folder.
 * Writes `result` and then `outcome.json`. Without `outcome.json`, the run counts as killed.
 */
import { createWriteStream, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import type { Automation, TypedResult } from './automation.ts'
import { traceback } from './traceback.ts'

const [file = '', root = '', folder = ''] = process.argv.slice(2)

// The automation must end with the sandbox, even if the sandbox crashes.
process.once('disconnect', () => process.exit(1))
process.channel?.unref()

try {
  await answer(await runAutomation())
} catch (error) {
  process.stderr.write(traceback(error, root))
  save({ kind: 'raised' })
}
// Timers and sockets that the automation did not close would keep the process alive.
process.exit(0)

async function runAutomation(): Promise<unknown> {
  const seedFile = join(folder, 'seed.json')
  const seedText = existsSync(seedFile) ? readFileSync(seedFile, 'utf8') : undefined
  const module = (await import(pathToFileURL(file).href)) as { default: Automation<unknown> }
  return module.default(JSON.parse(seedText ?? '{}'), { seedText, sandboxFolder: dirname(folder) })
}

async function answer(value: unknown): Promise<void> {
  const { contentType, body } = typed(value)
  const pieces = typeof body === 'string' || body instanceof Uint8Array ? [body] : body
  await pipeline(Readable.from(pieces), createWriteStream(join(folder, 'result')))
  save({ kind: 'returned', contentType })
}

function typed(value: unknown): TypedResult {
  if (typeof value === 'string') return { contentType: 'text/plain; charset=utf-8', body: value }
  if (value instanceof Uint8Array) return { contentType: 'application/octet-stream', body: value }
  if (isTyped(value)) return value
  return { contentType: 'application/json', body: JSON.stringify(value ?? null) }
}

function isTyped(value: unknown): value is TypedResult {
  if (typeof value !== 'object' || value === null) return false
  return 'contentType' in value && 'body' in value
}

function save(outcome: { kind: 'raised' } | { kind: 'returned'; contentType: string }): void {
  const draft = join(folder, 'outcome.draft')
  writeFileSync(draft, JSON.stringify(outcome))
  renameSync(draft, join(folder, 'outcome.json'))
}
