/**
 * HTML for a job summary. GitHub reads it as Markdown first: an HTML block ends at the first blank
 * line, and what follows would be untrusted Markdown. So every block here is made of
 * complete tags, holds no blank line, and is joined to the next by one ({@link joinBlocks}).
 */
import { cut } from '../../cut.ts'
import type { Show } from '../text/secrets.ts'
import { escapeMarkup, lines } from '../text/untrusted-text.ts'

const maxPreformattedLine = 1_000
const maxAddressLength = 1_000

/** Texts from outside as parts of a page: first what may be seen of them, then cut, then escaped. */
export class Page {
  readonly show: Show

  constructor(show: Show) {
    this.show = show
  }

  /**
   * Text for a cell or a paragraph, cut at `limit` characters. `$`, `@` and `#` stand alone: GitHub
   * would make formulas, mentions and references of them, in HTML too.
   */
  prose(text: string, limit: number): string {
    return lines(cut(this.show(text), limit))
      .map((line) => escapeMarkup(line).replace(/[$@]|(?<!&)#/g, '<span>$&</span>'))
      .join('<br>')
  }

  /** Lines for a `<pre>`, escaped; each is cut where it would only make the page wide. */
  preformatted(text: string): string[] {
    // A blank line would end the HTML block, even inside of <pre>.
    return lines(this.show(text)).map((line) =>
      line.trim() === '' ? '&#32;' : escapeMarkup(cut(line, maxPreformattedLine)),
    )
  }

  /** A link, where the address is one that a browser may follow; else its text alone. */
  link(address: string, html: string): string {
    const url = URL.parse(cut(this.show(address), maxAddressLength))
    const safe = url?.protocol === 'https:' || url?.protocol === 'http:'
    return safe ? `<a href="${escapeMarkup(url.href)}">${html}</a>` : html
  }
}

export function preformatted(escapedLines: readonly string[]): string {
  return `<pre>${escapedLines.join('\n')}</pre>`
}

export function folded(title: string, block: string): string {
  return `<details><summary>${title}</summary>\n${block}\n</details>`
}

/** As many of the texts, from the first, as fit into `limit` bytes of UTF-8. */
export function takeWithin(texts: readonly string[], limit: number): string[] {
  let rest = limit
  const end = texts.findIndex((text) => (rest -= Buffer.byteLength(text) + 1) < 0)
  return end === -1 ? [...texts] : texts.slice(0, end)
}

export function joinBlocks(blocks: readonly string[]): string {
  return blocks.map((block) => `${block}\n\n`).join('')
}

/** The end of a summary that is posted elsewhere: where it comes from. */
export function linkToRun(url: string | undefined, show: Show): string {
  return url === undefined
    ? ''
    : `<p>${new Page(show).link(url, 'The workflow run')}</p>
`
}
