/** Checks that a step writes no file that the step also reads, and no file twice. */
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { resolveTarget } from '../files.ts'
import type { InputField } from './secret.ts'

export interface InputProblem {
  name: string
  message: string
}

const read = ['seed-file', 'seeds-file', 'result-schema']
const written = ['save-result-as', 'save-log-as', 'results-folder', 'junit-file']

/**
 * Returns a problem for each output path that overlaps with a path to read or with an earlier
 * output path. Paths overlap if they are equal or if one path contains the other path. Follows
 * symbolic links. Skips inputs in `invalid`, because these inputs already have a problem. Also
 * skips inputs that name no file, such as an inline schema.
 */
export async function findOverwrites(
  fields: readonly InputField[],
  invalid: ReadonlySet<string>,
  workspace: string,
): Promise<InputProblem[]> {
  const absolute = (text: string) => path.resolve(workspace, text)
  const others = await resolveAll(fields, read, (text) => realpath(absolute(text)))
  const valid = fields.filter(({ name }) => !invalid.has(name))
  const targets = await resolveAll(valid, written, (text) =>
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

/** Returns the real path of a file or folder, without symbolic links. */
function resolveWritten(target: string, workspace: string): Promise<string> {
  return resolveTarget(target, workspace).catch(async () =>
    path.dirname(await resolveTarget(path.join(target, 'file'), workspace)),
  )
}

function areNested(one: string, other: string): boolean {
  return isAtOrBelow(one, other) || isAtOrBelow(other, one)
}

/** Compares paths without case, because Windows and macOS ignore the case of file names. */
function isAtOrBelow(file: string, folder: string): boolean {
  return `${file}${path.sep}`.toLowerCase().startsWith(`${folder}${path.sep}`.toLowerCase())
}
