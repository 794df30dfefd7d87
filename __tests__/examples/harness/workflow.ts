/** Reads the workflows of this repository, and runs single steps of them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { describe } from '@jest/globals'
import { parse } from 'yaml'
import { z } from 'zod'
import { root } from '../../../scripts/docs/action-files.ts'
import { findProgram } from '../../../scripts/find-program.ts'
import { parseCommandFile } from '../../../sandbox/runner/command-file.ts'
import { filesBelow } from '../../action/support/facts.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const stepSchema = z.looseObject({
  id: z.string().optional(),
  name: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  shell: z.literal('bash').optional(),
  env: z.record(z.string(), z.unknown()).default({}),
  'continue-on-error': z.boolean().default(false),
})
const jobSchema = z.looseObject({ if: z.string().optional(), steps: z.array(stepSchema) })
const workflowSchema = z.looseObject({ jobs: z.record(z.string(), jobSchema) })

export type Step = z.infer<typeof stepSchema>
export type Workflow = z.infer<typeof workflowSchema>

/** Reads a workflow file. `folder`: the checkout. */
export async function readWorkflow(file: string, folder = root): Promise<Workflow> {
  return workflowSchema.parse(parse(await readFile(path.join(folder, file), 'utf8')))
}

/** Skips tests of steps on a machine that lacks their programs. CI has all of them. */
const hasPrograms = ['bash', 'git', 'jq', 'curl'].every((program) => findProgram(program))
export const describeSteps = process.platform !== 'win32' && hasPrograms ? describe : describe.skip

interface StepRun {
  /** The files of the workspace before the step. */
  files?: Record<string, string | Buffer>
  /** The workspace, if it exists already. */
  workspace?: string
  /** Values for variables that are expressions in the example, or that the runner sets. */
  env?: Record<string, string>
}

/** Runs the commands of a step of an example as the runner does on Linux: as a file, with bash. */
export async function runStep(example: string, name: string, given: StepRun) {
  const { jobs } = await readWorkflow(path.join('examples', example))
  const steps = Object.values(jobs).flatMap((job) => job.steps)
  const step = steps.find((one) => one.name === name)
  if (step?.run === undefined) throw new Error(`${example} has no step ${name} with commands`)
  const own = Object.entries(step.env).map(([name, value]) => [name, String(value)])
  const env = { ...(Object.fromEntries(own) as Record<string, string>), ...given.env }
  const open = Object.entries(env).filter(([, value]) => value.includes('${{'))
  if (open.length > 0) throw new Error(`${open.join()}: the test gives no value`)
  await using workspace = await makeTemporaryFolder(given.files)
  await using temp = await makeTemporaryFolder({ 'script.sh': step.run, outputs: '' })
  const at = (file: string) => path.join(temp.path, file)
  const cwd = given.workspace ?? workspace.path
  const options = step.shell === 'bash' ? ['-eo', 'pipefail'] : ['-e']
  const child = spawn('bash', ['--noprofile', '--norc', ...options, at('script.sh')], {
    cwd,
    env: { PATH: process.env['PATH'], GITHUB_OUTPUT: at('outputs'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  await ended
  return {
    exitCode: child.exitCode,
    printed: stdout + stderr,
    outputs: parseCommandFile(await readFile(at('outputs'), 'utf8')),
    /** The files of the workspace after the step. */
    files: given.workspace === undefined ? await filesBelow(cwd) : {},
  }
}
