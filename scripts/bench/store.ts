/** What it takes to store a large file, beside the artifact client alone. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fork } from 'node:child_process'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openArtifactService } from '../../sandbox/runner/artifact-service.ts'

export interface Stored {
  milliseconds: number
  /** Bytes of memory at most. */
  peak: number
}

/** The same bytes, stored in two ways. */
export interface StoredBoth {
  kind: Kind
  client: Stored
  action: Stored
}

type Kind = keyof typeof kinds

const megabyte = 1_000_000
const program = path.join(import.meta.dirname, 'store-once.ts')
const kinds = { random: () => randomBytes(megabyte), text: textLines }

/**
 * `small`: a file of 1 MB, stored by the client alone. The client gets what is not worth compressing
 * without compression, as it gets it from the action.
 */
export async function measureStore(
  megabytes: number,
): Promise<{ small: Stored; large: StoredBoth[] }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'))
  const file = path.join(folder, 'result')
  await write(file, textLines(), 1)
  const small = await store('client', file)
  const large: StoredBoth[] = []
  for (const kind of ['random', 'text'] as const) {
    await write(file, kinds[kind](), megabytes)
    const client = await store(kind === 'random' ? 'client, stored' : 'client', file)
    large.push({ kind, client, action: await store('action', file) })
  }
  await rm(folder, { recursive: true })
  return { small, large }
}

/** Milliseconds that the client alone takes for a file of 1 kB, once it is loaded. */
export async function timeSmallUpload(): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'))
  const file = path.join(folder, 'result')
  await writeFile(file, '[1, 2, 3]\n'.repeat(100))
  const { milliseconds } = await store('client', file)
  await rm(folder, { recursive: true })
  return milliseconds
}

async function store(by: 'action' | 'client' | 'client, stored', file: string): Promise<Stored> {
  await using service = await openArtifactService()
  const child = fork(program, [by, file], {
    env: { ...process.env, ACTIONS_RESULTS_URL: service.url, ACTIONS_RUNTIME_TOKEN: service.token },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [stored] = (await once(child, 'message')) as [Stored]
  return stored
}

/** One megabyte again and again: the window of deflate has 32 KiB, so that is none the smaller. */
async function write(file: string, part: Uint8Array, megabytes: number): Promise<void> {
  await using handle = await open(file, 'w')
  for (let count = 0; count < megabytes; count++) await handle.writeFile(part)
}

/** Lines that differ in half of their characters: about half is left of them. */
function textLines(): Uint8Array {
  const line = () => `${randomBytes(24).toString('base64')},`.padEnd(63, 'x') + '\n'
  return Buffer.from(Array.from({ length: megabyte / 64 }, line).join(''))
}
