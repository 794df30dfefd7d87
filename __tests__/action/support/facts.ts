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

/** An annotation of the action's, its last line apart. */
export interface ToldAnnotation extends Annotation {
  /** The address of the entry that explains it. */
  help: string
}

/** @throws Error where one does not end with the address of an entry. */
export function annotationsOf(step: StepResult, level: Annotation['level']): ToldAnnotation[] {
  return step.annotations.filter((annotation) => annotation.level === level).map(apart)
}

function apart(annotation: Annotation): ToldAnnotation {
  const [, message, help] =
    /^(.*)\nHelp: (https:\/\/\S+\/docs\/troubleshooting\.md#[a-z-]+)$/s.exec(annotation.message) ??
    []
  if (message === undefined || help === undefined) {
    throw new Error(`no address at the end of: ${annotation.message}`)
  }
  return { ...annotation, message, help }
}

/** The step's only error annotation. @throws Error when there is none, or more than one. */
export function theError(step: StepResult): ToldAnnotation {
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
