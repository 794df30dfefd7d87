import { readFile } from 'node:fs/promises'
import { marked } from 'marked'

/** CSS pixels: a column of GitHub's on a wide screen. */
export const pageWidth = 760

/** A job summary as GitHub shows it, but for charts: these stay code, which GitHub draws. */
export async function summaryPage(summary: string): Promise<string> {
  const css = import.meta.resolve('github-markdown-css/github-markdown-light.css')
  const html = await marked(summary, { gfm: true })
  const article = `<article class="markdown-body">${html}</article>`
  return htmlPage(article, await readFile(new URL(css), 'utf8'))
}

const logCss = `
ol { margin: 0; padding: 0 0 0 44px; list-style: none; counter-reset: line; color: #59636e; }
li { counter-increment: line; min-height: 20px; }
li::before { content: counter(line); float: left; width: 28px; margin-left: -44px; text-align: right; }
ol, code { font: 12px/20px ui-monospace, 'Liberation Mono', 'DejaVu Sans Mono', monospace; }
code { color: #1f2328; white-space: pre-wrap; overflow-wrap: anywhere; }
.c36 { color: #1b7c83; font-weight: bold } .c32 { color: #1a7f37; font-weight: bold }
.c31, .error { color: #cf222e; font-weight: bold } .notice, .warning { color: #9a6700 }`

/** A step's log as GitHub's page shows it: groups folded, colours drawn, long lines wrapped. */
export function logPage(log: string): string {
  const lines = foldGroups(log.trimEnd().split('\n')).map((line) => `<li><code>${line}</code></li>`)
  return htmlPage(`<ol>\n${lines.join('\n')}\n</ol>`, logCss)
}

/** A folded group is its title alone. */
function foldGroups(lines: readonly string[]): string[] {
  const shown: string[] = []
  let folded = false
  for (const line of lines) {
    if (line.startsWith('##[group]')) shown.push(`▸ ${colour(line.slice('##[group]'.length))}`)
    else if (!folded && !line.startsWith('##[endgroup]')) shown.push(colour(line))
    if (line.startsWith('##[group]')) folded = true
    if (line.startsWith('##[endgroup]')) folded = false
  }
  return shown
}

const levels: Record<string, string> = { error: 'Error', warning: 'Warning', notice: 'Notice' }
const escape = String.fromCharCode(0x1b)
const coloured = new RegExp(`${escape}\\[1;(\\d+)m(.*?)${escape}\\[0m`, 'g')

function colour(line: string): string {
  return escapeHtml(line)
    .replace(coloured, '<span class="c$1">$2</span>')
    .replace(
      /^##\[(error|warning|notice)\]/,
      (_, level: string) => `<span class="${level}">${levels[level] ?? level}:</span> `,
    )
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** `data-height` is the page's height, in CSS pixels, once it is drawn. */
function htmlPage(body: string, css: string): string {
  return `<!doctype html>
<html><head><meta charset="utf-8"><style>
${css}
html { overflow: hidden; background: #ffffff; }
body { box-sizing: border-box; width: ${String(pageWidth)}px; margin: 0; padding: 16px; }
</style></head><body>
${body}
<script>document.documentElement.dataset.height = document.body.scrollHeight</script>
</body></html>
`
}
