/**
 * What docs/troubleshooting.md quotes: for each entry its annotations as people see them, and the
 * other texts that they may have, each with what to do. All of it is made by the sources.
 */
import type { Annotation } from '../../../src/messages/annotation.ts'
import {
  notes,
  noteText,
  titles,
  type NoteName,
  type TitleName,
} from '../../../src/messages/catalogue.ts'
import { noteEntries, titleEntries, type Entry } from '../../../src/messages/entries.ts'
import { errorSamples } from './sample-errors.ts'
import { noteSamples } from './sample-notes.ts'

interface Quoted {
  /** In full. */
  annotations: readonly string[]
  variants: readonly Variant[]
}

interface Variant {
  /** The line that differs. */
  says: string
  /** What to do, where the annotation says it. */
  next: string
}

/** By marker: `message:ENTRY`. */
export async function messageBlocks(): Promise<Map<string, string>> {
  const quoted = await quoteMessages()
  return new Map([...quoted].map(([entry, quote]) => [`message:${entry}`, render(quote)]))
}

/** What each entry quotes. */
async function quoteMessages(): Promise<Map<Entry, Quoted>> {
  const errors = await errorSamples()
  const all: [Entry, Quoted][] = [
    ...namesOf(titles).map((name): [Entry, Quoted] => [titleEntries[name], quote(errors[name])]),
    ...namesOf(notes).map((name): [Entry, Quoted] => [noteEntries[name], quoteNote(name)]),
  ]
  const byEntry = Map.groupBy(all, ([entry]) => entry)
  return new Map([...byEntry].map(([entry, parts]) => [entry, together(parts)]))
}

function namesOf<Name extends TitleName | NoteName>(catalogue: Record<Name, unknown>): Name[] {
  return Object.keys(catalogue) as Name[]
}

function together(parts: readonly (readonly [Entry, Quoted])[]): Quoted {
  return {
    annotations: parts.flatMap(([, { annotations }]) => annotations),
    variants: parts.flatMap(([, { variants }]) => variants),
  }
}

/** The first in full. Of the others, the line that differs and what to do. */
function quote([first, ...others]: readonly Annotation[]): Quoted {
  if (!first) throw new Error('an error has no sample')
  const variants = others.flatMap(({ message }) => {
    const lines = message.split('\n')
    const says = lines.find((line) => !first.message.includes(line))
    return says === undefined ? [] : [{ says, next: (lines.at(-1) ?? '').replace('Next: ', '') }]
  })
  return { annotations: [`${first.title}\n${first.message}`], variants }
}

function quoteNote(name: NoteName): Quoted {
  const [first = '', ...others] = noteSamples[name].map((values) => fillIn(name, values))
  return { annotations: [first], variants: others.map((says) => ({ says, next: '' })) }
}

/** The names of the values are the same for each name of a note, which the compiler can't follow. */
function fillIn(name: NoteName, values: object): string {
  return noteText(name, values as Parameters<typeof noteText>[1])
}

function render({ annotations, variants }: Quoted): string {
  const blocks = annotations.map((text) => `\`\`\`text\n${text}\n\`\`\``)
  return [...blocks, ...(variants.length === 0 ? [] : [table(variants)])].join('\n\n')
}

function table(variants: readonly Variant[]): string {
  const hasNext = variants.some(({ next }) => next !== '')
  const rows = variants.map(({ says, next }) => {
    const cells = [`\`${says}\``, ...(hasNext ? [next] : [])]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  const head = hasNext
    ? '| it may also say | what to do |\n| --- | --- |'
    : '| it may also say |\n| --- |'
  return [head, ...rows].join('\n')
}
