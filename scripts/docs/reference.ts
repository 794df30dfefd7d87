/** Makes the tables of inputs and outputs in docs/reference from the action.yml files. */
import type { ActionFile, Input } from './action-files.ts'

/** Returns the text of each block, by page and by the name of the block. Each action has a page. */
export function makeReference(
  actions: Record<string, Pick<ActionFile, 'inputs' | 'outputs'>>,
): Map<string, Map<string, string>> {
  const pages = Object.entries(actions).map(([action, { inputs, outputs }]) => {
    const blocks = new Map([
      ['inputs', inputTable(inputs)],
      ['outputs', outputTable(outputs)],
    ])
    return [`docs/reference/${action}.md`, blocks] as const
  })
  return new Map(pages)
}

function inputTable(inputs: ActionFile['inputs']): string {
  const forUsers = Object.entries(inputs).filter(
    ([, { description }]) => !description.startsWith('Do not set this input.'),
  )
  const rows = forUsers.map(([name, input]) => [
    nameOf(name),
    defaultOf(input),
    plain(input.description),
  ])
  return table([['input', 'default', 'meaning'], ['---', '---', '---'], ...rows])
}

function outputTable(outputs: ActionFile['outputs']): string {
  const rows = Object.entries(outputs).map(([name, { description }]) => [
    nameOf(name),
    plain(description),
  ])
  return table([['output', 'meaning'], ['---', '---'], ...rows])
}

function table(rows: string[][]): string {
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** Returns a name with an anchor, so that links lead to its row. */
function nameOf(name: string): string {
  return `<a id="${name}"></a>\`${name}\``
}

// A longer default is an expression. The description of its input explains the value.
const maxDefault = 60

function defaultOf({ required, default: value = '' }: Input): string {
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
