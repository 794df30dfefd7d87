import { spawn } from 'node:child_process'
import { mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { compileCache } from '../compile-cache.ts'
import { machineEnvironment } from '../machine-environment.ts'

const here = dirname(fileURLToPath(import.meta.url))
const host = join(here, 'automation-host.ts')
export const repositoryRoot = join(here, '..', '..')

const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('raised') }),
  z.object({ kind: z.literal('returned'), contentType: z.string() }),
])
/** How the process of an automation ended. `killed` means that the process wrote no outcome. */
export type Outcome = z.infer<typeof outcomeSchema> | { kind: 'killed' }

/**
 * Runs the file of an automation in a child process. `stopping` kills the process. `folder` gets
 * `run.log` (both output streams, unchanged and in order) and `result`.
 */
export async function runAutomation(
  file: string,
  folder: string,
  seedText: string | undefined,
  stopping: AbortSignal,
): Promise<Outcome> {
  await mkdir(folder, { recursive: true })
  if (seedText !== undefined) await writeFile(join(folder, 'seed.json'), seedText)
  await using log = await open(join(folder, 'run.log'), 'a')
  const child = spawn(process.execPath, [host, file, repositoryRoot, folder], {
    cwd: repositoryRoot,
    env: { ...machineEnvironment(), ...compileCache },
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
    signal: stopping,
    killSignal: 'SIGKILL',
  })
  // The process was stopped or could not be started. The event `close` follows in both cases.
  child.on('error', () => undefined)
  await new Promise((resolve) => child.once('close', resolve))
  const text = await readFile(join(folder, 'outcome.json'), 'utf8').catch(() => undefined)
  const outcome: Outcome = text ? outcomeSchema.parse(JSON.parse(text)) : { kind: 'killed' }
  // The result is `null` unless the core task returned. A partial result is overwritten.
  if (outcome.kind !== 'returned') await writeFile(join(folder, 'result'), 'null')
  return outcome
}
