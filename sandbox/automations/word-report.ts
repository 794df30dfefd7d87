/**
 * Counts the words of each Markdown file in the repository. Seed: `{ "top": 3 }` for the 3 longest
 * files.
 */
import { glob, readFile } from 'node:fs/promises'
import { sep } from 'node:path'
import type { Automation } from '../service/automation.ts'

const excluded = ['node_modules', 'dist', 'coverage', 'reports']

interface Row {
  file: string
  words: number
  lines: number
}

const wordReport: Automation<{ top?: number }> = async ({ top }) => {
  const rows: Row[] = []
  for await (const path of glob('**/*.md', { exclude: (name) => excluded.includes(name) })) {
    const text = await readFile(path, 'utf8')
    const row = {
      file: path.split(sep).join('/'),
      words: countWords(text),
      lines: countLines(text),
    }
    console.log(`${row.file}: ${row.words} words`)
    rows.push(row)
  }
  const ranked = rows.sort((a, b) => b.words - a.words || a.file.localeCompare(b.file))
  console.log(`${rows.length} files, ${ranked.reduce((sum, { words }) => sum + words, 0)} words`)
  return { contentType: 'application/json', body: inLines(ranked.slice(0, top)) }
}

/** Returns JSON with one row per line, so that a log shows the rows. */
function inLines(rows: readonly Row[]): string {
  return `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`
}

function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
}

function countLines(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}

export default wordReport
