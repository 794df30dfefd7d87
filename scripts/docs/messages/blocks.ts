/** What docs/troubleshooting.md quotes: each annotation once, as people see it, made by the sources. */
import {
  notes,
  noteText,
  titles,
  type NoteName,
  type TitleName,
} from '../../../src/messages/catalogue.ts'
import { errorSamples } from './sample-errors.ts'
import { noteSamples } from './sample-notes.ts'

/** By marker: `message:ENTRY`. */
export async function messageBlocks(): Promise<Map<string, string>> {
  const errors = await errorSamples()
  const all = [
    ...namesOf(titles).map((name) => {
      const { title, message } = errors[name]
      return { entry: titles[name].help, text: `${title}\n${message}` }
    }),
    ...namesOf(notes).map((name) => ({ entry: notes[name].help, text: fillIn(name) })),
  ]
  const byEntry = Map.groupBy(all, ({ entry }) => entry)
  return new Map(
    [...byEntry].map(([entry, quoted]) => [
      `message:${entry}`,
      quoted.map(({ text }) => `\`\`\`text\n${text}\n\`\`\``).join('\n\n'),
    ]),
  )
}

function namesOf<Name extends TitleName | NoteName>(catalogue: Record<Name, unknown>): Name[] {
  return Object.keys(catalogue) as Name[]
}

/** The names of the values are the same for each name of a note, which the compiler can't follow. */
function fillIn(name: NoteName): string {
  return noteText(name, noteSamples[name] as Parameters<typeof noteText>[1])
}
