/** Checks that the paths that a step writes to are in the workspace. */
import path from 'node:path'
import { describeFileProblem } from '../../errors.ts'
import { leadsOut, resolveTarget } from '../files.ts'
import { changed, lineOfText, quote, refuse } from './text.ts'

/**
 * Returns a schema for the path of a file or folder that the step writes. The parsed value is an
 * absolute path. The path must be in the workspace after all symbolic links are followed. As far as
 * possible, a path that cannot be written is refused before a run is started.
 */
export function workspacePath(workspace: string, kind: 'file' | 'folder') {
  return changed(lineOfText, async (text, context) => {
    const expected = `expected a ${kind} inside the workspace`
    const absolute = path.resolve(workspace, text)
    if (path.relative(workspace, absolute) === '' || leadsOut(workspace, absolute, path)) {
      return refuse(context, `${expected}, found ${quote(text)}`)
    }
    if (kind === 'file' && /[\\/]$/.test(text)) {
      return refuse(context, `${expected}, found the folder ${quote(text)}`)
    }
    try {
      // For a folder, checks whether a file in the folder could be written. Any file name would do.
      await resolveTarget(kind === 'file' ? absolute : path.join(absolute, 'file'), workspace)
      return absolute
    } catch (error) {
      const why = describeFileProblem(error)
      return refuse(context, `${expected} that can be written, found ${quote(text)}: ${why}`)
    }
  })
}
