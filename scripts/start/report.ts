import type { StepResult } from '../../sandbox/runner/runner.ts'
import { artifactPage } from './shown-line.ts'

const longest = 100

/** Describes a step's outputs and artifacts for a terminal. `artifacts` has the files of the latter. */
export function describeResult(step: StepResult, artifacts: string): string {
  const outputs = Object.entries(step.outputs).map(([name, value]) => [
    name,
    shorten(value.replace(artifactPage, artifacts)),
  ])
  return [
    '',
    `The step ended with exit code ${String(step.exitCode ?? step.signal)} after ${seconds(step.duration)}.`,
    '',
    'Outputs',
    ...table(outputs, 'none'),
    '',
    'Annotations',
    ...table(
      step.annotations.map(({ level, title, message }) => [
        level,
        shorten(title === undefined ? message : `${title}: ${message}`),
      ]),
      'none',
    ),
    ...step.artifacts.flatMap(({ name, id, files }) => [
      '',
      `Artifact ${shorten(name)} (id ${String(id)}, not sent to GitHub), in ${artifacts}`,
      ...table(
        byName(files).map(([file, content]) => [shorten(file), size(content.length)]),
        'empty',
      ),
    ]),
    ...(step.artifacts.length === 0 ? ['', 'No artifact'] : []),
    '',
    `Files   ${step.temp} (kept until the next npm start)`,
    '',
  ].join('\n')
}

/** Sorts the files, because the artifact client packs files in a random order. */
function byName(files: Record<string, Buffer>): [string, Buffer][] {
  return Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1))
}

function table(rows: (string | undefined)[][], none: string): string[] {
  if (rows.length === 0) return [`  ${none}`]
  const width = Math.max(...rows.map(([name = '']) => name.length))
  return rows.map(([name = '', value = '']) => `  ${name.padEnd(width)}  ${value}`.trimEnd())
}

/** Returns one line for a value. Escapes control characters. Adds the size if the line is cut. */
function shorten(value: string): string {
  // Escapes the value, so that a result cannot control the terminal.
  const line = JSON.stringify(value)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replace(/[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '?')
  if (line.length <= longest) return line
  return `${line.slice(0, longest)}… (${size(Buffer.byteLength(value))})`
}

function size(bytes: number): string {
  if (bytes < 1024) return `${String(bytes)} bytes`
  const kibibytes = bytes / 1024
  return kibibytes < 1024 ? `${kibibytes.toFixed(1)} KiB` : `${(kibibytes / 1024).toFixed(1)} MiB`
}

function seconds(span: number): string {
  return `${(span / 1000).toFixed(1)} s`
}
