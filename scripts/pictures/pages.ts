import { readFile } from 'node:fs/promises'
import { marked } from 'marked'

/** CSS pixels: a column of GitHub's on a wide screen. */
export const pageWidth = 760

/** A job summary as GitHub shows it, with its chart unfolded. */
export async function summaryPage(summary: string): Promise<string> {
  const css = import.meta.resolve('github-markdown-css/github-markdown-light.css')
  const text = summary
    .replace(/<details>(?=.*\n\n```mermaid)/, '<details open>')
    .replaceAll(/^```mermaid\ngantt\n(.*?)^```$/gms, (_, bars: string) => ganttChart(bars))
  const article = `<article class="markdown-body">${await marked(text, { gfm: true })}</article>`
  return htmlPage(article, (await readFile(new URL(css), 'utf8')) + ganttCss)
}

// The colours of Mermaid, which draws these charts on GitHub.
const ganttCss = `
.gantt { padding: 4px 0; font: 11px/18px 'Trebuchet MS', Verdana, sans-serif; }
.gantt div { box-sizing: border-box; height: 20px; margin: 4px 0; border-width: 1px; border-style: solid; white-space: nowrap; text-align: center; }
.done { background: lightgrey; border-color: grey; } .active { background: #bfc7ff; border-color: #534fbc; }
.crit { background: red; border-color: #ff8888; color: white; }`

function ganttChart(chart: string): string {
  const tasks = [...chart.matchAll(/^ {4}(.*) :(\w+), (\d+), (\d+)ms$/gm)].map(
    ([, name = '', tag = '', begin, span]) => ({
      name,
      tag,
      begin: Number(begin),
      span: Number(span),
    }),
  )
  const from = Math.min(...tasks.map(({ begin }) => begin))
  const all = Math.max(...tasks.map(({ begin, span }) => begin + span)) - from
  const bars = tasks.map(({ name, tag, begin, span }) => {
    const [left, width] = [begin - from, span].map((time) => (100 * time) / all)
    return `<div class="${tag}" style="margin-left: ${left}%; width: ${width}%">${name}</div>`
  })
  return `<div class="gantt">${bars.join('')}</div>`
}

const logCss = `
ol { margin: 0; padding: 0 0 0 44px; list-style: none; counter-reset: line; color: #59636e; }
li { counter-increment: line; min-height: 20px; }
li::before { content: counter(line); float: left; width: 28px; margin-left: -44px; text-align: right; }
ol, code { font: 12px/20px ui-monospace, 'Liberation Mono', 'DejaVu Sans Mono', monospace; }
code { color: #1f2328; white-space: pre-wrap; overflow-wrap: anywhere; }
b { color: #1a7f37 } .title { color: #1b7c83 }`

/** A step's log as GitHub's page shows it: groups folded, the colours that transcripts lack, lines wrapped. */
export function logPage(log: string): string {
  const lines = escapeHtml(log)
    .replaceAll(/^##\[group\](.*)\n[^]*?^##\[endgroup\]$/gm, '▸ $1')
    .replaceAll(/^▶.*/gm, '<b class="title">$&</b>')
    .replaceAll(/^✓.*/gm, '<b>$&</b>')
    .split('\n')
  const items = lines.map((line) => `<li><code>${line}</code></li>`)
  return htmlPage(`<ol>\n${items.join('\n')}\n</ol>`, logCss)
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** `data-height` is the page's height, in CSS pixels, once it is drawn. */
function htmlPage(body: string, css: string): string {
  return `<!doctype html>
<html><head><meta charset="utf-8"><style>
${css}
html { background: #ffffff; }
body { box-sizing: border-box; width: ${String(pageWidth)}px; margin: 0; padding: 16px; }
</style></head><body>
${body}
<script>document.documentElement.dataset.height = document.body.scrollHeight</script>
</body></html>
`
}
