/** Makes the quotes of docs/troubleshooting.md: each annotation once, as people see it. */
import { notes, noteText, titles, type NoteName } from '../../../src/messages/catalogue.ts'
import { batchSamples } from './sample-batches.ts'
import { errorSamples } from './sample-errors.ts'
import { failureSamples } from './sample-failures.ts'
import { noteSamples } from './sample-notes.ts'

/** Returns the quotes by marker (`message:ENTRY`). A test finds annotations that have no quote. */
export async function messageBlocks(): Promise<Map<string, string>> {
  const errors = [...failureSamples(), ...batchSamples(), ...(await errorSamples())]
  const names = Object.keys(notes) as NoteName[]
  const all = [
    // The page has its own words for the rest of the annotation.
    ...errors.map(({ name, title, why: [first = ''] }) => ({
      entry: titles[name][1],
      text: `${title}\n${first}`,
    })),
    ...names.map((name) => ({ entry: notes[name][1], text: fillIn(name) })),
  ]
  const byEntry = Map.groupBy(all, ({ entry }) => entry)
  return new Map(
    [...byEntry].map(([entry, quoted]) => [
      `message:${entry}`,
      quoted.map(({ text }) => `\`\`\`text\n${text}\n\`\`\``).join('\n\n'),
    ]),
  )
}

/** Returns the text of a note. The cast is needed because `name` is a union of all names. */
function fillIn(name: NoteName): string {
  return noteText(name, noteSamples[name] as Parameters<typeof noteText>[1])
}
