/** The README's pictures: what the transcripts of the tests show, with examples in the place of what differs. */
import { createHash } from 'node:crypto'
import path from 'node:path'
import { root } from '../docs/action-files.ts'
import { readSnapshots } from '../docs/transcripts.ts'
import { describeElapsed } from '../../src/messages/quantities.ts'

/** What each picture was drawn from, as a hash: a change of the text shows without a browser. */
export const hashFile = path.join(root, 'docs', 'pictures.json')

type Part = "The step's log" | 'Job summary'

/** By name: the part of a transcript, the test it is of, and its file. */
const pictures: Record<string, [Part, string, string]> = {
  'log-success': ["The step's log", 'a run that succeeds with rows', 'finished'],
  'summary-batch': ['Job summary', 'a batch that ends with some runs failed', 'batch'],
  'summary-failure': [
    'Job summary',
    'a run that fails with a traceback that names a file of the workspace',
    'finished',
  ],
}

export interface Picture {
  name: string
  part: Part
  text: string
}

export function readPictures(): Promise<Picture[]> {
  return Promise.all(
    Object.entries(pictures).map(async ([name, [part, test, file]]) => {
      const transcript = (await readSnapshots(file)).get(test) ?? ''
      const [, after = ''] = transcript.split(new RegExp(`^════ ${part}.*\n`, 'm'))
      return { name, part, text: withExamples(after.split(/^════/m)[0]?.trim() ?? '') }
    }),
  )
}

export function hashesOf(drawn: readonly Picture[]): Record<string, string> {
  return Object.fromEntries(
    drawn.map(({ name, text }) => [name, createHash('sha256').update(text).digest('hex')]),
  )
}

/** By number of the run, the seconds when it began and that it took: three at once. */
const runs = [
  [0, 130],
  [0, 95],
  [0, 150],
  [95, 110],
  [130, 75],
  [150, 140],
] as const
const whole = '4 min 50 s'

function withExamples(text: string): string {
  const runOf = (number: string) => runs[Number(number) - 1] ?? [0, 0]
  return text
    .replaceAll('http://127.0.0.1:<port>', 'https://automations.example.com')
    .replaceAll('<temp>', '/home/runner/work/_temp/run-automation-Kx2f9Q')
    .replaceAll('every 0.1 s at first, for at most 10 min', 'every 5 s at first, for at most 1 h')
    .replaceAll('<id>', '3fa85f64-5717-4562-b3fc-2c963f66afa6')
    .replaceAll(/^( {4}(\d+) .*), <begin>, <span>/gm, (_, bar: string, number: string) => {
      const [begin, span] = runOf(number)
      return `${bar}, ${Date.UTC(2026, 0, 5, 5, 17, begin)}, ${1_000 * span}ms`
    })
    .replaceAll(/(?<=<td align="right">(\d+)<.*)<time>/g, (_, number: string) =>
      describeElapsed(1_000 * runOf(number)[1]),
    )
    .replaceAll('<time>', whole)
}
