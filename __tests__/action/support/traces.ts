/** Collects everything that a step makes visible, by place. */
import path from 'node:path'
import type { StepResult } from '../../../sandbox/runner/runner.ts'
import { linesIn } from './batch.ts'
import { filesBelow } from './facts.ts'

/** Returns the lines of both streams, without the add-mask commands, which must contain secrets. */
export function printedBy({ stdout, stderr }: StepResult): string {
  return `${stdout}\n${stderr}`
    .split('\n')
    .filter((line) => !line.startsWith('::add-mask::'))
    .join('\n')
}

/**
 * Returns texts by place: streams, annotations, summary, state, outputs, files on disk and in the
 * artifact, and the names of all files. Leaves out what an action must not alter: the result and
 * the log of the automation, and seeds.
 */
export async function tracesOf(step: StepResult): Promise<Record<string, string>> {
  const files = Object.entries({
    ...(await filesBelow(step.temp)),
    ...(await filesBelow(step.workspace)),
  })
  const uploaded = step.artifacts.flatMap((artifact) => Object.entries(artifact.files))
  const names = [...step.artifacts, ...[...files, ...uploaded].map(([name]) => ({ name }))]
  return {
    log: printedBy(step),
    annotations: JSON.stringify(step.annotations),
    summary: step.summary,
    state: JSON.stringify([step.state, step.exportedEnv]),
    names: names.map(({ name }) => name).join('\n'),
    ...named('output ', Object.entries({ ...step.outputs, result: '' })),
    ...named('', files.flatMap(composed)),
    ...named('artifact ', uploaded.flatMap(composed)),
  }
}

// The automation or the seeds made these files, or they contain outputs and summary once more.
const notComposed = /^(?:result\.\w+|run\.log|failed-seeds\.jsonl|(?:set_output|step_summary)_.*)$/

/** Returns the name and the text of a file that an action composed. */
function composed([file, bytes]: [string, Buffer]): [string, string][] {
  const name = path.basename(file)
  if (notComposed.test(name)) return []
  const text = bytes.toString()
  if (name !== 'results.jsonl') return [[name, text]]
  const lines = linesIn(text).map((line) => JSON.stringify({ ...Object(line), result: undefined }))
  return [[name, lines.join('\n')]]
}

function named(prefix: string, texts: [string, string][]): Record<string, string> {
  return Object.fromEntries(texts.map(([name, text]) => [prefix + name, text]))
}

/** Returns the places that show one of the texts to a reader, in alphabetical order. */
export function placesWith(texts: readonly string[], traces: Record<string, string>): string[] {
  return Object.entries(traces)
    .filter(([, trace]) => texts.some((text) => visible(trace).includes(text)))
    .map(([place]) => place)
    .toSorted()
}

function visible(text: string): string {
  return text.replaceAll('\u200b', '')
}
