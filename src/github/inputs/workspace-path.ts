import path, { type PlatformPath } from 'node:path'
import { lineOfText, quote, refuse } from './text.ts'

/**
 * The absolute path of a file to write, which must lie inside the workspace: a check of words, that
 * follows no symbolic links. `system` is how paths are written where the action runs.
 */
export function workspacePath(workspace: string, system: PlatformPath = path) {
  return lineOfText.transform((text, context) => {
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
    return absolute
  })
}

/** Whether two files can both be written: not the same one, and none a folder of the other. */
export function canBothBeWritten(one: string, other: string): boolean {
  // Windows and macOS take names that differ in case for the same.
  const [first, second] = [`${one}${path.sep}`.toLowerCase(), `${other}${path.sep}`.toLowerCase()]
  return !first.startsWith(second) && !second.startsWith(first)
}
