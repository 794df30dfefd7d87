import { readFile } from 'node:fs/promises'
import { marked } from 'marked'

/** CSS pixels. GitHub's column has this width on a wide screen. */
export const pageWidth = 840

export type Theme = 'light' | 'dark'

/** The colours of GitHub and of the charts that Mermaid draws there. */
const colours: Record<Theme, string> = {
  light: `--page: #ffffff; --strip: #f6f8fa; --line: #d1d9e0; --text: #1f2328; --muted: #59636e;
    --group: #1b7c83; --good: #1a7f37; --active: #bfc7ff; --active-line: #534fbc; --crit: #ff0000;`,
  dark: `--page: #0d1117; --strip: #151b23; --line: #3d444d; --text: #f0f6fc; --muted: #9198a1;
    --group: #39c5cf; --good: #3fb950; --active: #81b1db; --active-line: #ffffff; --crit: #e83737;`,
}

const styleSheets: Record<Theme, string> = {
  light: import.meta.resolve('github-markdown-css/github-markdown-light.css'),
  dark: import.meta.resolve('github-markdown-css/github-markdown-dark.css'),
}

/** Returns a page with a job summary as GitHub shows it. The charts are unfolded. */
export async function summaryPage(title: string, summary: string, theme: Theme): Promise<string> {
  const text = summary
    .replace(/<details>(?=.*\n\n```mermaid)/, '<details open>')
    .replaceAll(/^```mermaid\ngantt\n(.*?)^```$/gms, (_, chart: string) => ganttChart(chart))
    .replaceAll(/^```mermaid\n(%%.*?)^```$/gms, (_, chart: string) => barChart(chart))
  const article = `<article class="markdown-body">${await marked(text, { gfm: true })}</article>`
  const css = await readFile(new URL(styleSheets[theme]), 'utf8')
  return htmlPage(title, article, css + chartCss, theme)
}

// All pictures have one font, also if they are drawn on different machines.
const font = "'Liberation Sans', Arial, sans-serif"
const chartCss = `
.markdown-body { font-family: ${font}; }
.gantt, .chart { margin: 4px 0 16px; font: 13px/18px ${font}; }
.gantt { position: relative; padding-bottom: 20px; }
.gantt i { position: absolute; top: 0; bottom: 20px; border-left: 1px solid var(--line); font-style: normal; }
.gantt i span { position: absolute; top: 100%; transform: translateX(-50%); }
.chart { display: block; width: 100%; fill: currentColor; }
.gantt div { position: relative; box-sizing: border-box; height: 20px; margin: 4px 0; border-width: 1px; border-style: solid; white-space: nowrap; text-align: center; color: black; }
.done { background: lightgrey; border-color: grey; } .active { background: var(--active); border-color: var(--active-line); }
.gantt .crit { background: var(--crit); border-color: #ff8888; color: white; }`

/** Draws a chart as HTML: its bars above an axis with the times of day. */
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
  const step = steps.find((seconds) => all / (1_000 * seconds) <= 8) ?? 3_600
  const first = Math.ceil(from / (1_000 * step))
  const count = Math.floor((from + all) / (1_000 * step)) - first + 1
  const ticks = Array.from({ length: count }, (_, index) => {
    const time = (first + index) * 1_000 * step
    const label = new Date(time).toISOString().slice(11, 19)
    return `<i style="left: ${(100 * (time - from)) / all}%"><span>${label}</span></i>`
  })
  return `<div class="gantt">${[...ticks, ...bars].join('')}</div>`
}

/** Seconds between two times of the axis. */
const steps = [1, 2, 5, 10, 30, 60, 300, 600, 1_800]

/** Draws a chart as SVG: its bars, the labels below them, and the scale at the left. */
function barChart(chart: string): string {
  const parse = (pattern: RegExp) => JSON.parse(pattern.exec(chart)?.[1] ?? '[]') as unknown
  const labels = parse(/x-axis (\[.*\])/) as string[]
  const values = parse(/bar (\[.*\])/) as number[]
  const [, colour = ''] = /plotColorPalette": "(#\w+)"/.exec(chart) ?? []
  const [, title = '', low, high] = /y-axis (?:"(.*)" )?(\S+) --> (\S+)/.exec(chart) ?? []
  const [min, max] = [Number(low), Number(high)]
  const y = (value: number) => 200 - (190 * (value - min)) / (max - min)
  const width = 660 / values.length
  const bars = values.map((value, index) => {
    const [top, bottom] = [y(Math.max(0, value)), y(Math.min(0, value))]
    const left = 60 + width * index
    return `<rect x="${left + 2}" y="${top}" width="${width - 4}" height="${bottom - top}" fill="${colour}"/><text x="${left + width / 2}" y="218" text-anchor="middle">${labels[index] ?? ''}</text>`
  })
  const scale = [min, (min + max) / 2, max].map(
    (value) => `<text x="54" y="${y(value) + 4}" text-anchor="end">${Math.round(value)}</text>`,
  )
  const axes = '<path d="M60 5V200H728" fill="none" stroke="currentColor"/>'
  const name = `<text transform="translate(16 105) rotate(-90)" text-anchor="middle">${title}</text>`
  return `<svg class="chart" viewBox="0 0 728 226">${[name, ...scale, ...bars, axes].join('')}</svg>`
}

const logCss = `
ol { margin: 0; padding: 0 0 0 44px; list-style: none; counter-reset: line; color: var(--muted); }
li { counter-increment: line; min-height: 20px; }
li::before { content: counter(line); float: left; width: 28px; margin-left: -44px; text-align: right; }
ol, code { font: 12px/20px ui-monospace, 'Liberation Mono', 'DejaVu Sans Mono', monospace; }
code { color: var(--text); white-space: pre-wrap; overflow-wrap: anywhere; }
b { color: var(--good) } .title { color: var(--group) }`

/** Returns a page with a step's log as GitHub shows it: folded groups, coloured titles, wrapped lines. */
export function logPage(title: string, log: string, theme: Theme): string {
  const lines = escapeHtml(log)
    .replaceAll(/^##\[group\](.*)\n[^]*?^##\[endgroup\]$/gm, '▸ $1')
    .replaceAll(/^▶.*/gm, '<b class="title">$&</b>')
    .replaceAll(/^✓.*/gm, '<b>$&</b>')
    .split('\n')
  const items = lines.map((line) => `<li><code>${line}</code></li>`)
  return htmlPage(title, `<ol>\n${items.join('\n')}\n</ol>`, logCss, theme)
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Returns a page with a frame and a title. It sets `data-height` to its height in CSS pixels when it is drawn. */
function htmlPage(title: string, content: string, css: string, theme: Theme): string {
  return `<!doctype html>
<html><head><meta charset="utf-8"><style>
${css}
:root { ${colours[theme]} }
body { box-sizing: border-box; width: ${String(pageWidth)}px; margin: 0; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; background: var(--page); color: var(--text); }
header { padding: 8px 16px; border-bottom: 1px solid var(--line); background: var(--strip); font: bold 14px/20px ${font}; }
main { padding: 16px; }
</style></head><body>
<header>${title}</header>
<main>
${content}
</main>
<script>document.documentElement.dataset.height = document.body.offsetHeight</script>
</body></html>
`
}
