import { readFile } from 'node:fs/promises'
import { marked } from 'marked'
import { htmlPage, type Sheet, type Theme } from './page.ts'

const styles: Record<Theme, string> = {
  light: import.meta.resolve('github-markdown-css/github-markdown-light.css'),
  dark: import.meta.resolve('github-markdown-css/github-markdown-dark.css'),
}

/** A job summary as GitHub shows it, but for charts: these stay code, which GitHub draws. */
export async function summaryPage(summary: string, sheet: Sheet): Promise<string> {
  const css = await readFile(new URL(styles[sheet.theme]), 'utf8')
  const html = await marked(summary, { gfm: true })
  return htmlPage(`<article class="markdown-body">${html}</article>`, css, sheet)
}
