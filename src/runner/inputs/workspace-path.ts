/** Paths to write to, which must lie in the workspace. */
import path, { type PlatformPath } from 'node:path'
import { describeFileProblem } from '../../messages/file-problem.ts'
import { resolveTarget } from '../workspace-target.ts'
import { changed, lineOfText, quote, refuse } from './text.ts'

/**
 * The absolute path of a file to write, which must lie inside the workspace, symbolic links
 * included, and be writable as far as that can be seen before anything is started. `system` is how
 * paths are written where the action runs.
 */
export function workspacePath(workspace: string, system: PlatformPath = path) {
  return changed(lineOfText, async (text, context) => {
    const { absolute, relative, outside } = locate(text, workspace, system)
    if (outside) {
      return refuse(context, `expected a path inside the workspace, found ${quote(text)}`)
    }
    if (relative === '' || /[\\/]$/.test(text)) {
      return refuse(context, `expected the path of a file, found the folder ${quote(text)}`)
    }
    const problem = await findWriteProblem(absolute, workspace)
    if (problem === undefined) return absolute
    return refuse(
      context,
      `expected the path of a file that can be written, found ${quote(text)}: ${problem}`,
    )
  })
}

/** The same for a folder to write files into: one below the workspace, there already or not. */
export function workspaceFolder(workspace: string, system: PlatformPath = path) {
  return changed(lineOfText, async (text, context) => {
    const { absolute, relative, outside } = locate(text, workspace, system)
    if (outside || relative === '') {
      return refuse(context, `expected a folder inside the workspace, found ${quote(text)}`)
    }
    // Whether a file in it could be written; that one's name matters to nobody.
    const problem = await findWriteProblem(system.join(absolute, 'results.jsonl'), workspace)
    if (problem === undefined) return absolute
    return refuse(
      context,
      `expected a folder that can be written to, found ${quote(text)}: ${problem}`,
    )
  })
}

function locate(text: string, workspace: string, system: PlatformPath) {
  const absolute = system.resolve(workspace, text)
  const relative = system.relative(workspace, absolute)
  // Another drive's path stays absolute.
  const outside = relative.split(system.sep)[0] === '..' || system.isAbsolute(relative)
  return { absolute, relative, outside }
}

async function findWriteProblem(file: string, workspace: string): Promise<string | undefined> {
  try {
    await resolveTarget(file, workspace)
    return undefined
  } catch (error) {
    return describeFileProblem(error)
  }
}
