/**
 * Builds HTML for a job summary. GitHub reads the summary as Markdown first. An HTML block in
 * Markdown ends at its first blank line. Therefore, a block must not contain a blank line, and
 * {@link joinBlocks} puts a blank line between two blocks.
 */
import { cut, cutMiddle } from '../../cut.ts'
import type { Show } from '../text/secrets.ts'
import { escapeMarkup, flatten, lines } from '../text/untrusted-text.ts'

const maxSentence = 600
export const maxPreformattedLine = 1_000
const maxAddressLength = 1_000

/** Puts untrusted texts into a page. Each text is redacted, then cut, then escaped. */
export class Page {
  readonly show: Show

  constructor(show: Show) {
    this.show = show
  }

  /** Returns a heading or a line of a notice as one escaped line. */
  sentence(text: string): string {
    return asProse(cutMiddle(flatten(this.show(text)), maxSentence))
  }

  /** Returns escaped text, cut at `limit` characters. */
  prose(text: string, limit: number): string {
    return lines(cut(this.show(text), limit))
      .map(asProse)
      .join('<br>')
  }

  /** Returns escaped lines for a `<pre>`. Very long lines are cut. */
  preformatted(text: string): string[] {
    // A blank line would end the HTML block, even inside of <pre>.
    return lines(this.show(text)).map((line) =>
      line.trim() === '' ? '&#32;' : escapeMarkup(cut(line, maxPreformattedLine)),
    )
  }

  /** Returns a link to the workflow run. A summary that is posted elsewhere needs this link. */
  linkToWorkflowRun(url: string | undefined): string {
    return url === undefined ? '' : `<p>${this.link(url, 'The workflow run')}</p>\n`
  }

  /** Returns a link if the address is an http or https address. Otherwise returns only the text. */
  link(address: string | undefined, html: string): string {
    const url = URL.parse(cut(this.show(address ?? ''), maxAddressLength))
    const safe = url?.protocol === 'https:' || url?.protocol === 'http:'
    return safe ? `<a href="${escapeMarkup(url.href)}">${html}</a>` : html
  }
}

/**
 * Escapes a text, and puts a tag around each `$`, `@` and `#`. Otherwise, GitHub would turn these
 * characters into formulas, mentions and references.
 */
function asProse(line: string): string {
  return escapeMarkup(line).replace(/[$@]|(?<!&)#/g, '<span>$&</span>')
}

export function preformatted(escapedLines: readonly string[]): string {
  return `<pre>${escapedLines.join('\n')}</pre>`
}

export function folded(title: string, block: string): string {
  return `<details><summary>${title}</summary>\n${block}\n</details>`
}

/** Returns the first texts that fit into `limit` bytes of UTF-8. */
export function takeWithin(texts: readonly string[], limit: number): string[] {
  let rest = limit
  const end = texts.findIndex((text) => (rest -= Buffer.byteLength(text) + 1) < 0)
  return end === -1 ? [...texts] : texts.slice(0, end)
}

export function joinBlocks(blocks: readonly string[]): string {
  return blocks.map((block) => `${block}\n\n`).join('')
}
