/** Paths to write to, which must lie in the workspace. */
import path, { type PlatformPath } from 'node:path'
import { describeFileProblem } from '../../messages/file-problem.ts'
import { resolveTarget } from '../workspace-target.ts'
import { changed, lineOfText, quote, refuse } from './text.ts'

/**
 * The absolute path of a file to write, or of a folder to write files into, there already or not. It
 * must lie below the workspace, symbolic links included, and be writable as far as that can be seen
 * before anything is started. `system` is how paths are written where the action runs.
 */
export function workspacePath(
  workspace: string,
  kind: 'file' | 'folder',
  system: PlatformPath = path,
) {
  return changed(lineOfText, async (text, context) => {
    const expected = `expected a ${kind} inside the workspace`
    const absolute = system.resolve(workspace, text)
    const relative = system.relative(workspace, absolute)
    // Another drive's path stays absolute.
    const isOutside = relative.split(system.sep)[0] === '..' || system.isAbsolute(relative)
    if (isOutside || relative === '') return refuse(context, `${expected}, found ${quote(text)}`)
    if (kind === 'file' && /[\\/]$/.test(text)) {
      return refuse(context, `${expected}, found the folder ${quote(text)}`)
    }
    try {
      // Whether a file in the folder could be written; that one's name matters to nobody.
      await resolveTarget(kind === 'file' ? absolute : system.join(absolute, 'file'), workspace)
      return absolute
    } catch (error) {
      const why = describeFileProblem(error)
      return refuse(context, `${expected} that can be written, found ${quote(text)}: ${why}`)
    }
  })
}
