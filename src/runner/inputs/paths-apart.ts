/** A step must not overwrite a file that it reads, or another file that it writes. */
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { resolveTarget } from '../files.ts'
import type { InputField } from './secret.ts'

/** `name`: of the input. */
export interface InputProblem {
  name: string
  message: string
}

const read = ['seed-file', 'seeds-file', 'result-schema']
const written = ['save-result-as', 'save-log-as', 'results-folder', 'junit-file']

/**
 * Returns a problem for each written path that is, contains or lies in a path that is read, or that
 * an input before it writes to. Symbolic links are followed. Leaves out written paths that have
 * problems already (`unsound`), and paths that cannot be resolved, such as an inline schema.
 */
export async function findOverwrites(
  fields: readonly InputField[],
  unsound: ReadonlySet<string>,
  workspace: string,
): Promise<InputProblem[]> {
  const absolute = (text: string) => path.resolve(workspace, text)
  const others = await resolveAll(fields, read, (text) => realpath(absolute(text)))
  const sound = fields.filter(({ name }) => !unsound.has(name))
  const targets = await resolveAll(sound, written, (text) =>
    resolveWritten(absolute(text), workspace),
  )
  const problems: InputProblem[] = []
  for (const target of targets) {
    for (const { name } of others.filter((other) => areNested(other.real, target.real))) {
      const message = `is, contains or lies in ${name}, and could overwrite it; give another path`
      problems.push({ name: target.name, message })
    }
    others.push(target)
  }
  return problems
}

interface RealPath {
  name: string
  real: string
}

async function resolveAll(
  fields: readonly InputField[],
  names: readonly string[],
  resolve: (text: string) => Promise<string>,
): Promise<RealPath[]> {
  const paths: RealPath[] = []
  for (const { name, text = '' } of fields) {
    if (!names.includes(name) || text.trim() === '') continue
    const real = await resolve(text.trim()).catch(() => undefined)
    if (real !== undefined) paths.push({ name, real })
  }
  return paths
}

/** The real path of a file, or of a folder, which is no target itself: a file in it is. */
function resolveWritten(target: string, workspace: string): Promise<string> {
  return resolveTarget(target, workspace).catch(async () =>
    path.dirname(await resolveTarget(path.join(target, 'file'), workspace)),
  )
}

function areNested(one: string, other: string): boolean {
  return isAtOrBelow(one, other) || isAtOrBelow(other, one)
}

/** Windows and macOS take names that differ in case for the same. */
function isAtOrBelow(file: string, folder: string): boolean {
  return `${file}${path.sep}`.toLowerCase().startsWith(`${folder}${path.sep}`.toLowerCase())
}
