/**
 * Makes the tables of inputs and outputs in docs/reference from the action.yml files. Each action has
 * a page with its own inputs and outputs. Two more pages have the inputs and outputs of all actions.
 */
import { isDeepStrictEqual } from 'node:util'
import type { ActionFile, Input } from './action-files.ts'

type Actions = Record<string, Pick<ActionFile, 'inputs' | 'outputs'>>

interface Entry extends Input {
  name: string
  /** The actions that declare this input or output in the same way. */
  actions: string[]
}

const kinds = ['inputs', 'outputs'] as const
type Kind = (typeof kinds)[number]

/** Returns the text of each block, by page and by the name of the block. */
export function makeReference(actions: Actions): Map<string, Map<string, string>> {
  const names = Object.keys(actions)
  const all = kinds.map((kind) => {
    const entries = names.flatMap((action) =>
      entriesOf(actions, kind, action).filter((entry) => entry.actions[0] === action),
    )
    return [kind, new Map([[kind, table(kind, entries, true)]])] as const
  })
  const own = names.map((action) => {
    const tables = kinds.map((kind) => [kind, table(kind, entriesOf(actions, kind, action), false)])
    return [action, new Map(tables as [Kind, string][])] as const
  })
  return new Map([...all, ...own].map(([name, blocks]) => [`docs/reference/${name}.md`, blocks]))
}

function entriesOf(actions: Actions, kind: Kind, action: string): Entry[] {
  return Object.entries(actions[action]?.[kind] ?? {}).map(([name, declared]) => {
    const isSame = ([, other]: [string, Actions[string]]) =>
      isDeepStrictEqual(other[kind][name], declared)
    const same = Object.entries(actions).filter(isSame)
    return { ...declared, name, actions: same.map(([other]) => other) }
  })
}

function table(kind: Kind, entries: Entry[], isOfAll: boolean): string {
  const rows = entries.map((entry) => {
    const links = entry.actions.map((action) => `[${action}](${action}.md)`).join(', ')
    return [
      `${anchor(entry, entries)}\`${entry.name}\``,
      ...(kind === 'inputs' ? [defaultOf(entry)] : []),
      ...(isOfAll ? [links] : []),
      plain(entry.description),
    ]
  })
  const heads = [
    kind === 'inputs' ? 'input' : 'output',
    ...(kind === 'inputs' ? ['default'] : []),
    ...(isOfAll ? ['action'] : []),
    'meaning',
  ]
  return [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** Returns the anchor of a row. If two rows have the same name, the first one gets it. */
function anchor(entry: Entry, entries: Entry[]): string {
  const isFirst = entries.find(({ name }) => name === entry.name) === entry
  return isFirst ? `<a id="${entry.name}"></a>` : ''
}

// A longer default is an expression. The description of its input explains the value.
const maxDefault = 60

function defaultOf({ required, default: value = '' }: Entry): string {
  if (required) return '**required**'
  if (value === '') return ''
  return value.length > maxDefault ? 'from GitHub' : `\`${value}\``
}

/** Returns a description as Markdown that shows each character as it is. */
function plain(description: string): string {
  return description
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_<|]/g, String.raw`\$&`)
}
