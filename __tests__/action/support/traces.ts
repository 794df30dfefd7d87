/** Collects everything that a step makes visible, by place. */
import type { StepResult } from '../../../sandbox/runner/runner.ts'
import { filesBelow } from './facts.ts'

/** Returns the lines of both streams, without the add-mask commands, which must contain secrets. */
export function printedBy({ stdout, stderr }: StepResult): string {
  return `${stdout}\n${stderr}`
    .split('\n')
    .filter((line) => !line.startsWith('::add-mask::'))
    .join('\n')
}

/** Returns texts by place: streams, annotations, outputs, summary, state, and files on disk. */
export async function tracesOf(step: StepResult): Promise<Record<string, string>> {
  const traces: Record<string, string> = {
    'the log': printedBy(step),
    'the annotations': JSON.stringify(step.annotations),
    'the outputs': JSON.stringify(step.outputs),
    'the summary': step.summary,
    'the state': JSON.stringify([step.state, step.exportedEnv]),
  }
  for (const folder of [step.temp, step.workspace]) {
    for (const [name, content] of Object.entries(await filesBelow(folder))) {
      traces[`the file ${name}`] = content.toString('latin1')
    }
  }
  for (const { name, files } of step.artifacts) {
    traces[`the artifact’s name`] = name
    for (const [file, content] of Object.entries(files)) {
      traces[`${file} in the artifact`] = content.toString('latin1')
    }
  }
  return traces
}

/** Returns the places that contain a secret, as it is or encoded as JSON, URI or base64. */
export function placesWith(secret: string, traces: Record<string, string>): string[] {
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ]
  return Object.entries(traces)
    .filter(([, text]) => forms.some((form) => text.includes(form)))
    .map(([place]) => place)
}
