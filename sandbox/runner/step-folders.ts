import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { randomUUID } from 'node:crypto'

/** The files that a step writes for the runner. */
export interface CommandFiles {
  output: string
  state: string
  env: string
  path: string
  summary: string
}

/** The folders of a step. Disposing removes them, except for folders that the caller passed. */
export interface StepFolders extends AsyncDisposable {
  /** The folder RUNNER_TEMP. It contains the command files, as on GitHub's runner. */
  temp: string
  workspace: string
  toolCache: string
  eventFile: string
  files: CommandFiles
}

export async function makeStepFolders(given: {
  workspace?: string
  temp?: string
  event?: { payload: object }
}): Promise<StepFolders> {
  // On macOS, the path of the temporary folder contains a symbolic link.
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'step-')))
  const temp = given.temp ?? path.join(root, '_temp')
  const commands = path.join(temp, '_runner_file_commands')
  const suffix = randomUUID()
  const folders = {
    temp,
    workspace: given.workspace ?? path.join(root, 'workspace'),
    toolCache: path.join(root, '_tool'),
    eventFile: path.join(temp, '_github_workflow', 'event.json'),
    files: {
      output: path.join(commands, `set_output_${suffix}`),
      state: path.join(commands, `save_state_${suffix}`),
      env: path.join(commands, `set_env_${suffix}`),
      path: path.join(commands, `add_path_${suffix}`),
      summary: path.join(commands, `step_summary_${suffix}`),
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  }
  for (const folder of [
    commands,
    folders.workspace,
    folders.toolCache,
    path.dirname(folders.eventFile),
  ])
    await mkdir(folder, { recursive: true })
  for (const file of Object.values(folders.files)) await writeFile(file, '')
  await writeFile(folders.eventFile, JSON.stringify(given.event?.payload ?? {}))
  return folders
}
