/**
 * What docs/troubleshooting.md quotes: for each entry its annotations as people see them, and the
 * other texts that they may have, each with what to do. All of it is made by the sources.
 */
import type { Annotation } from '../../../src/messages/annotation.ts'
import {
  notes,
  noteText,
  titles,
  type Entry,
  type NoteName,
  type TitleName,
} from '../../../src/messages/catalogue.ts'
import { errorSamples } from './sample-errors.ts'
import { noteSamples } from './sample-notes.ts'

interface Quoted {
  entry: Entry
  /** In full. */
  annotation: string
  /** What the annotation says to do; empty where it says nothing. */
  next: string
  variants: readonly Variant[]
}

interface Variant {
  /** The line that differs. */
  says: string
  next: string
}

/** By marker: `message:ENTRY`. */
export async function messageBlocks(): Promise<Map<string, string>> {
  const errors = await errorSamples()
  const all = [
    ...namesOf(titles).map((name) => quote(titles[name].help, errors[name])),
    ...namesOf(notes).map((name) => quoteNote(name)),
  ]
  const byEntry = Map.groupBy(all, ({ entry }) => entry)
  return new Map(
    [...byEntry].map(([entry, parts]) => [`message:${entry}`, parts.map(render).join('\n\n')]),
  )
}

function namesOf<Name extends TitleName | NoteName>(catalogue: Record<Name, unknown>): Name[] {
  return Object.keys(catalogue) as Name[]
}

/** The first in full. Of the others, the line that differs and what to do. */
function quote(entry: Entry, [first, ...others]: readonly Annotation[]): Quoted {
  if (!first) throw new Error('an error has no sample')
  const variants = others.flatMap(({ message }) => {
    const says = message.split('\n').find((line) => !first.message.includes(line))
    if (says === undefined) return []
    // Where only that differs, what to do is what it says.
    return [{ says, next: says.startsWith('Next: ') ? '' : nextIn(message) }]
  })
  const annotation = `${first.title}\n${first.message}`
  return { entry, annotation, next: nextIn(first.message), variants }
}

function nextIn(message: string): string {
  return /^Next: (.*)$/m.exec(message)?.[1] ?? ''
}

function quoteNote(name: NoteName): Quoted {
  const [annotation = '', ...others] = noteSamples[name].map((values) => fillIn(name, values))
  const variants = others.map((says) => ({ says, next: '' }))
  return { entry: notes[name].help, annotation, next: '', variants }
}

/** The names of the values are the same for each name of a note, which the compiler can't follow. */
function fillIn(name: NoteName, values: object): string {
  return noteText(name, values as Parameters<typeof noteText>[1])
}

function render({ annotation, next, variants }: Quoted): string {
  const byNext = Map.groupBy(variants, (variant) => variant.next)
  const items = [...byNext].map(([advice, texts]) => listItem(texts, advice === next ? '' : advice))
  const list = items.length === 0 ? [] : ['It may also say:', items.join('\n')]
  return [`\`\`\`text\n${annotation}\n\`\`\``, ...list].join('\n\n')
}

/** The texts, each on a line of its own, and below them what to do where that differs. */
function listItem(texts: readonly Variant[], advice: string): string {
  if (advice === '') return texts.map(({ says }) => `- \`${says}\``).join('\n')
  const lines = [...texts.map(({ says }) => `\`${says}\``), `Next: ${advice}`]
  return `- ${lines.join('\\\n  ')}`
}
