/** Transcribes what people see of a step: log, annotations, job summary. */
import { expect } from '@jest/globals'
import path from 'node:path'
import type { Annotation, StepResult } from '../../../sandbox/runner/runner.ts'

/** A text that snapshots show as it is, without quotes. */
export class Transcript {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

expect.addSnapshotSerializer({
  test: (value: unknown) => value instanceof Transcript,
  print: (value) => (value as Transcript).text,
})

/** Returns the transcript. Replaces texts that differ from run to run, and those in `also`. */
export function transcribe(
  step: StepResult,
  also: readonly (readonly [RegExp | string, string])[] = [],
): Transcript {
  const parts = [
    heading(`The step's log (exit code ${String(step.exitCode)})`),
    withoutColours(step.log).trim(),
    heading('Annotations'),
    step.annotations.map(describeAnnotation).join('\n') || 'none',
    heading('Job summary'),
    step.summary.trim() || 'none',
  ]
  const text = also.reduce((all, [from, to]) => all.replaceAll(from, to), parts.join('\n'))
  return new Transcript(steady(text, step))
}

/** Returns the log without the sections Result and Publish, which are the same everywhere. */
export function transcribeLog(step: StepResult): Transcript {
  const sections = withoutColours(step.log)
    .trim()
    .split(/\n(?=▶ )/)
  const isOfAll = (section: string) => !/^▶ (?:Result|Publish)/.test(section)
  return new Transcript(steady(sections.filter(isOfAll).join('\n').trim(), step))
}

export function withoutColours(text: string): string {
  // eslint refuses control characters in expressions.
  return text.replaceAll(new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;]*m`, 'g'), '')
}

function heading(title: string): string {
  return `\n════ ${title} ${'═'.repeat(Math.max(0, 60 - title.length))}`
}

/** Leaves out the message, because the log contains it. */
function describeAnnotation({ level, title }: Annotation): string {
  return title === undefined ? level : `${level} · ${title}`
}

const elapsed = String.raw`\d+(?:\.\d+)? (?:ms|s|min|h)(?: \d+ (?:s|min))?`

/** Replaces what differs from run to run. Leaves out the lines of the test's own clock. */
function steady(text: string, { temp }: StepResult): string {
  return text
    .replaceAll(/^the clock is \d+ ms ahead\n/gm, '')
    .replaceAll(temp, '<temp>')
    .replaceAll(path.join(path.dirname(temp), 'workspace'), '<workspace>')
    .replaceAll(/<temp>[\\/]run-automation-\w+[\\/]?/g, '<temp>/')
    .replaceAll(/(?<=<(?:temp|workspace)>\S*)\\/g, '/')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '<id>')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
    .replaceAll(
      new RegExp(`(after|ran for|watched it for|\\bin|<td>)( ?)${elapsed}`, 'g'),
      '$1$2<time>',
    )
}
