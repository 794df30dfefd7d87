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
/** The end of an automation's process. `killed` is an end without an answer. */
export type Outcome = z.infer<typeof outcomeSchema> | { kind: 'killed' }

/**
 * Runs an automation's file in a child process, which `stopping` kills. Both streams go directly to
 * `run.log` in `folder`, byte for byte and in order. The result goes to `result`.
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
  // The process was stopped or cannot be started. It emits `close` in both cases.
  child.on('error', () => undefined)
  await new Promise((resolve) => child.once('close', resolve))
  const text = await readFile(join(folder, 'outcome.json'), 'utf8').catch(() => undefined)
  const outcome: Outcome = text ? outcomeSchema.parse(JSON.parse(text)) : { kind: 'killed' }
  // A core task that did not return has no result, not half of one.
  if (outcome.kind !== 'returned') await writeFile(join(folder, 'result'), 'null')
  return outcome
}
