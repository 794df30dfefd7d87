/** Paths to write to, which must lie in the workspace. */
import path from 'node:path'
import { describeFileProblem } from '../../errors.ts'
import { leadsOut, resolveTarget } from '../files.ts'
import { changed, lineOfText, quote, refuse } from './text.ts'

/**
 * The absolute path of a file to write, or of a folder for files, whether or not it exists. It must
 * be in the workspace with all symbolic links followed, and be writable as far as that can be seen
 * before the start.
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
      // For a folder, checks whether a file in it could be written. The name `file` has no meaning.
      await resolveTarget(kind === 'file' ? absolute : path.join(absolute, 'file'), workspace)
      return absolute
    } catch (error) {
      const why = describeFileProblem(error)
      return refuse(context, `${expected} that can be written, found ${quote(text)}: ${why}`)
    }
  })
}
