import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { parse } from 'yaml'
import { z } from 'zod'
import { root } from '../../scripts/docs/action-files.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const stepSchema = z.object({
  name: z.string().optional(),
  run: z.string().optional(),
  shell: z.literal('bash').optional(),
  env: z.record(z.string(), z.string()).default({}),
})
const workflowSchema = z.object({
  jobs: z.record(z.string(), z.object({ steps: z.array(stepSchema) })),
})

export interface ExampleStep {
  /** The file name in `examples/`. */
  file: string
  name: string
  /** Values for variables that are expressions in the example, or that the runner sets. */
  env: Record<string, string>
  /** The workspace. */
  folder: string
}

/** Runs the commands of a step as the runner does on Linux: as a file, with bash. */
export async function runExampleStep({ file, name, env, folder }: ExampleStep) {
  const content: unknown = parse(await readFile(path.join(root, 'examples', file), 'utf8'))
  const steps = Object.values(workflowSchema.parse(content).jobs).flatMap((job) => job.steps)
  const step = steps.find((one) => one.name === name)
  if (step?.run === undefined) throw new Error(`${file} has no step ${name} with commands`)
  const variables = { ...step.env, ...env }
  const open = Object.entries(variables).filter(([, value]) => value.includes('${{'))
  if (open.length > 0) throw new Error(`${open.join()}: the test gives no value`)
  await using scripts = await makeTemporaryFolder()
  const script = path.join(scripts.path, 'script.sh')
  await writeFile(script, step.run)
  const options = step.shell === 'bash' ? ['-eo', 'pipefail'] : ['-e']
  const child = spawn('bash', ['--noprofile', '--norc', ...options, script], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  await ended
  return { exitCode: child.exitCode, printed: stdout + stderr }
}
