/** Functions that read facts from a finished step and from the service. */
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

/** An annotation of the action. Its last line, the help address, is cut off from the message. */
export interface ShownAnnotation extends Annotation {
  /** The link to the entry in docs/troubleshooting.md. */
  help: string
}

/** @throws Error if an annotation does not end with a help address. */
export function annotationsOf(step: StepResult, level: Annotation['level']): ShownAnnotation[] {
  return step.annotations.filter((annotation) => annotation.level === level).map(splitHelp)
}

function splitHelp(annotation: Annotation): ShownAnnotation {
  const [, message, help] =
    /^(.*)\nHelp: (https:\/\/\S+\/docs\/troubleshooting\.md#[a-z-]+)$/s.exec(annotation.message) ??
    []
  if (message === undefined || help === undefined) {
    throw new Error(`no address at the end of: ${annotation.message}`)
  }
  return { ...annotation, message, help }
}

/** Returns the step's only error annotation. @throws Error if there is not exactly one. */
export function theError(step: StepResult): ShownAnnotation {
  const [error, ...more] = annotationsOf(step, 'error')
  if (!error || more.length > 0) throw new Error(`not one error annotation:\n${step.log}`)
  return error
}

/** Returns every file below a folder by its relative path, with `/` as separator. */
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
