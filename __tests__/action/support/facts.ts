/** What scenarios ask of a finished step and of the service that it met. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Annotation, StepResult } from '../../../sandbox/runner/runner.ts'
import type { RecordedRequest, Sandbox } from '../../../sandbox/service/sandbox.ts'

export function requestsOf(
  { requests }: Pick<Sandbox, 'requests'>,
  kind: RecordedRequest['kind'],
): RecordedRequest[] {
  return requests.filter((request) => request.kind === kind)
}

export function annotationsOf(step: StepResult, level: Annotation['level']): Annotation[] {
  return step.annotations.filter((annotation) => annotation.level === level)
}

/** The step's only error annotation. @throws Error when there is none, or more than one. */
export function theError(step: StepResult): Annotation {
  const [error, ...more] = annotationsOf(step, 'error')
  if (!error || more.length > 0) throw new Error(`not one error annotation:\n${step.log}`)
  return error
}

/** Every file below a folder, by its path relative to it, with `/`. */
export async function filesBelow(folder: string): Promise<Record<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  const contents = await Promise.all(
    files.map(async (file) => [
      path.relative(folder, file).split(path.sep).join('/'),
      await readFile(file),
    ]),
  )
  return Object.fromEntries(contents) as Record<string, Buffer>
}
