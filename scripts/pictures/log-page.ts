import { escapeHtml, htmlPage, type Sheet, type Theme } from './page.ts'

const inks: Record<Theme, Record<'text' | 'faint' | 'cyan' | 'green' | 'red' | 'amber', string>> = {
  light: {
    text: '#1f2328',
    faint: '#59636e',
    cyan: '#1b7c83',
    green: '#1a7f37',
    red: '#cf222e',
    amber: '#9a6700',
  },
  dark: {
    text: '#f0f6fc',
    faint: '#9198a1',
    cyan: '#39c5cf',
    green: '#3fb950',
    red: '#f85149',
    amber: '#d29922',
  },
}

/** A step's log as GitHub's page shows it: groups folded, colours drawn, long lines wrapped. */
export function logPage(log: string, sheet: Sheet): string {
  const { text, faint, cyan, green, red, amber } = inks[sheet.theme]
  const css = `
ol { margin: 0; padding: 0 0 0 44px; list-style: none; counter-reset: line; color: ${faint}; }
li { counter-increment: line; min-height: 20px; }
li::before { content: counter(line); float: left; width: 28px; margin-left: -44px; text-align: right; }
ol, code { font: 12px/20px ui-monospace, 'Liberation Mono', 'DejaVu Sans Mono', monospace; }
code { color: ${text}; white-space: pre-wrap; overflow-wrap: anywhere; }
.c36 { color: ${cyan}; font-weight: bold } .c32 { color: ${green}; font-weight: bold }
.c31, .error { color: ${red}; font-weight: bold } .notice, .warning { color: ${amber} }`
  const lines = foldGroups(log.trimEnd().split('\n')).map((line) => `<li><code>${line}</code></li>`)
  return htmlPage(`<ol>\n${lines.join('\n')}\n</ol>`, css, sheet)
}

/** A folded group is its title; the page numbers the lines in it all the same, but shows none. */
function foldGroups(lines: readonly string[]): string[] {
  const shown: string[] = []
  let folded = false
  for (const line of lines) {
    if (line.startsWith('##[group]')) shown.push(`▸ ${paint(line.slice('##[group]'.length))}`)
    else if (!folded && !line.startsWith('##[endgroup]')) shown.push(paint(line))
    if (line.startsWith('##[group]')) folded = true
    if (line.startsWith('##[endgroup]')) folded = false
  }
  return shown
}

const levels: Record<string, string> = { error: 'Error', warning: 'Warning', notice: 'Notice' }
const escape = String.fromCharCode(0x1b)
const coloured = new RegExp(`${escape}\\[1;(\\d+)m(.*?)${escape}\\[0m`, 'g')

function paint(line: string): string {
  return escapeHtml(line)
    .replace(coloured, '<span class="c$1">$2</span>')
    .replace(
      /^##\[(error|warning|notice)\]/,
      (_, level: string) => `<span class="${level}">${levels[level] ?? level}:</span> `,
    )
}
