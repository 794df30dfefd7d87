/** The texts that the code can put before a person, collected from its sources. */
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'

/** A text with `…` for each of its variable parts. */
export interface Told {
  text: string
  file: string
}

export interface Messages {
  /** Headings of error annotations. */
  titles: Told[]
  /** Texts of warnings and notices. */
  notes: Told[]
  /** Files with a warning or notice whose text could not be made out. */
  unread: string[]
}

const literal = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|` + '`(?:[^`\\\\]|\\\\.)*`'
const titled = new RegExp(
  String.raw`\btitle(?: =|:)\s+(?:[^'"\`\n]*\?\s)?(${literal})(?:\s:\s(${literal}))?`,
  'g',
)
const noting = /\blog\.(?:warning|notice)\(/g

/** All sources but the job summary's, whose headings are no messages. */
export async function collectMessages(root: string): Promise<Messages> {
  const all: Messages = { titles: [], notes: [], unread: [] }
  for await (const file of glob('src/**/*.ts', { cwd: root })) {
    if (file.split(path.sep).includes('summary')) continue
    const found = messagesIn(await readFile(path.join(root, file), 'utf8'), file)
    all.titles.push(...found.titles)
    all.notes.push(...found.notes)
    all.unread.push(...found.unread)
  }
  return all
}

export function messagesIn(source: string, file: string): Messages {
  const tell = (text: string): Told => ({ text: plain(text), file })
  const titles = [...source.matchAll(titled)].flatMap(([, one, other]) =>
    [one, other].filter((text) => text !== undefined).map(tell),
  )
  const calls = [...source.matchAll(noting)].map(({ index, 0: call }) =>
    textsOf(argumentsFrom(source, index + call.length), source),
  )
  const unread = calls.some((texts) => texts.length === 0) ? [file] : []
  return { titles, notes: calls.flat().map(tell), unread }
}

/** The call's arguments as they are written, up to the bracket that closes it. */
function argumentsFrom(source: string, from: number): string {
  let depth = 1
  for (const { 0: token, index } of source
    .slice(from)
    .matchAll(new RegExp(`${literal}|[()]`, 'g'))) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (depth === 0) return source.slice(from, from + index)
  }
  return ''
}

/** The literals in it; where it is only a name, those that the name stands for. */
function textsOf(given: string, source: string): string[] {
  const name = /^\s*(\w+)\s*$/.exec(given)?.[1]
  const written = name === undefined ? given : (valueOf(name, source) ?? '')
  return written.match(new RegExp(literal, 'g')) ?? []
}

function valueOf(name: string, source: string): string | undefined {
  return new RegExp(String.raw`\bconst ${name} =\s+(${literal})`).exec(source)?.[1]
}

function plain(text: string): string {
  return text
    .slice(1, -1)
    .replaceAll(/\$\{[^}]*\}/g, '…')
    .replaceAll(/\\(['"`])/g, '$1')
}
