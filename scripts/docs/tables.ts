/** Markdown tables of what an action.yml declares. */
import type { ActionFile, ActionName, Described, Input } from './action-files.ts'

/** The text of each block by its marker, such as `inputs:run`. */
export function makeBlocks(actions: Record<ActionName, ActionFile>): Map<string, string> {
  return new Map(
    Object.entries(actions).flatMap(([action, { inputs, outputs }]) => [
      [`inputs:${action}`, inputTable(inputs)] as const,
      [`outputs:${action}`, outputTable(outputs)] as const,
    ]),
  )
}

export function inputTable(inputs: Record<string, Input>): string {
  const rows = Object.entries(inputs).map(([name, input]) => [
    code(name),
    input.required ? '**required**' : describeDefault(input.default ?? ''),
    text(input.description),
  ])
  return table(['Input', 'Default', 'Meaning'], rows)
}

// Of a longer expression the meaning says what comes of it.
const longestDefault = 60

function describeDefault(value: string): string {
  if (value === '') return ''
  return value.length > longestDefault ? 'from GitHub' : code(value)
}

export function outputTable(outputs: Record<string, Described>): string {
  const rows = Object.entries(outputs).map(([name, output]) => [
    code(name),
    text(output.description),
  ])
  return table(['Output', 'Meaning'], rows)
}

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function code(value: string): string {
  return `\`${value.replaceAll('|', String.raw`\|`)}\``
}

function text(description: string): string {
  return description
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_<|]/g, (character) => `\\${character}`)
}
