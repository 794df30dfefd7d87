import path, { type PlatformPath } from 'node:path'
import { describeFileProblem } from '../../messages/file-problem.ts'
import { resolveTarget } from '../workspace-target.ts'
import { lineOfText, quote, refuse } from './text.ts'

/**
 * The absolute path of a file to write, which must lie inside the workspace, symbolic links
 * included, and be writable as far as that can be seen before anything is started. `system` is how
 * paths are written where the action runs.
 */
export function workspacePath(workspace: string, system: PlatformPath = path) {
  return lineOfText.transform(async (text, context) => {
    const absolute = system.resolve(workspace, text)
    const relative = system.relative(workspace, absolute)
    // Another drive's path stays absolute.
    const outside = relative.split(system.sep)[0] === '..' || system.isAbsolute(relative)
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

async function findWriteProblem(file: string, workspace: string): Promise<string | undefined> {
  try {
    await resolveTarget(file, workspace)
    return undefined
  } catch (error) {
    return describeFileProblem(error)
  }
}

/** Whether two files can both be written: not the same one, and none a folder of the other. */
export function canBothBeWritten(one: string, other: string): boolean {
  // Windows and macOS take names that differ in case for the same.
  const [first, second] = [`${one}${path.sep}`.toLowerCase(), `${other}${path.sep}`.toLowerCase()]
  return !first.startsWith(second) && !second.startsWith(first)
}
