/**
 * The inputs and outputs on the pages of docs/reference, made from the action.yml files. What several
 * actions declare with the same words stands on a page of its own, once; theirs link to it.
 */
import { isDeepStrictEqual } from 'node:util'
import type { ActionFile, Input } from './action-files.ts'

type Actions = Record<string, Pick<ActionFile, 'inputs' | 'outputs'>>

interface Entry extends Input {
  name: string
  /** The actions that declare it with the same words. */
  of: string[]
}

const kinds = ['inputs', 'outputs'] as const
type Kind = (typeof kinds)[number]

/** By page, the text of each of its blocks. */
export function makeReference(actions: Actions): Map<string, Map<string, string>> {
  const names = Object.keys(actions)
  const shared = kinds.map((kind) => {
    const entries = names.flatMap((action) =>
      entriesOf(actions, kind, action).filter((entry) => isShared(entry) && entry.of[0] === action),
    )
    return [kind, new Map([[kind, entries.map(describe).join('\n\n')]])] as const
  })
  const own = names.map((action) => {
    const blocks = kinds.map(
      (kind) => [kind, list(entriesOf(actions, kind, action), kind)] as const,
    )
    return [action, new Map(blocks)] as const
  })
  return new Map([...shared, ...own].map(([name, blocks]) => [`docs/reference/${name}.md`, blocks]))
}

function entriesOf(actions: Actions, kind: Kind, action: string): Entry[] {
  return Object.entries(actions[action]?.[kind] ?? {}).map(([name, declared]) => {
    const isSame = ([, other]: [string, Actions[string]]) =>
      isDeepStrictEqual(other[kind][name], declared)
    const of = Object.entries(actions).filter(isSame)
    return { ...declared, name, of: of.map(([other]) => other) }
  })
}

function isShared({ of }: Entry): boolean {
  return of.length > 1
}

/** All of them by name, the shared ones with their first sentence; then in full those of this action alone. */
function list(entries: Entry[], kind: Kind): string {
  const lines = entries.map((entry) => {
    const link = `[\`${entry.name}\`](${isShared(entry) ? `${kind}.md` : ''}#${entry.name})`
    const sentence = isShared(entry) ? plain(entry.description).split(/(?<=\.) /)[0] : ''
    return `- ${joined([link, joined([without(entry), sentence ?? ''], ' · ')], ': ')}`
  })
  const own = entries.filter((entry) => !isShared(entry))
  return [lines.join('\n'), ...own.map(describe)].join('\n\n')
}

function describe(entry: Entry): string {
  const actions = entry.of.map((action) => `[${action}](${action}.md)`).join(', ')
  const facts = joined([without(entry), isShared(entry) ? actions : ''], ' · ')
  return joined([`### \`${entry.name}\``, facts, plain(entry.description)], '\n\n')
}

// Of a longer expression the description says what comes of it.
const maxDefault = 60

/** What holds where the input is not given. */
function without({ required, default: value = '' }: Entry): string {
  if (required) return '**required**'
  if (value === '') return ''
  return value.length > maxDefault ? 'default from GitHub' : `default \`${value}\``
}

function joined(parts: string[], by: string): string {
  return parts.filter((part) => part !== '').join(by)
}

/** A description as Markdown that shows each of its characters. */
function plain(description: string): string {
  return description
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_<|]/g, String.raw`\$&`)
}
