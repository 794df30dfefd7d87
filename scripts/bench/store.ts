/** What it takes to store a large file, beside the artifact client alone without compression. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fork } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openArtifactService } from '../../sandbox/runner/artifact-service.ts'

export interface Stored {
  milliseconds: number
  /** Bytes of memory at most. */
  peak: number
}

const megabyte = 1_000_000
const program = path.join(import.meta.dirname, 'store-once.ts')
const kinds = { random: () => randomBytes(megabyte), text: textLines }

/** `client` gets random bytes, too. `small`: a file of 1 MB, stored by the client alone. */
export async function measureStore(megabytes: number) {
  return {
    small: await store('client', 'random', 1),
    client: await store('client', 'random', megabytes),
    random: await store('action', 'random', megabytes),
    text: await store('action', 'text', megabytes),
  }
}

async function store(
  by: 'action' | 'client',
  kind: keyof typeof kinds,
  megabytes: number,
): Promise<Stored> {
  await using service = await openArtifactService()
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'))
  const file = path.join(folder, 'result')
  await write(file, kinds[kind], megabytes)
  const child = fork(program, [by, file], {
    env: { ...process.env, ACTIONS_RESULTS_URL: service.url, ACTIONS_RUNTIME_TOKEN: service.token },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [stored] = (await once(child, 'message')) as [Stored]
  await rm(folder, { recursive: true })
  return stored
}

async function write(file: string, make: () => Uint8Array, megabytes: number): Promise<void> {
  await using handle = await open(file, 'w')
  for (let count = 0; count < megabytes; count++) await handle.write(make())
}

/** Lines that differ, as those of a table do. */
function textLines(): Uint8Array {
  const lines: string[] = []
  for (let size = 0; size < megabyte; size += 50) {
    lines.push(`row,${String(Math.random()).padEnd(20).slice(0, 20)},`.padEnd(49, 'x'))
  }
  return Buffer.from(lines.join('\n') + '\n')
}
