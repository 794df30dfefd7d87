/** Finds the slowest hostile text for each function that reads texts from outside. */
import { findCause } from '../../src/cause/find-cause.ts'
import { Page } from '../../src/messages/summary/html.ts'
import { renderResult } from '../../src/messages/summary/result.ts'
import { Secrets } from '../../src/messages/text/secrets.ts'
import { showLog } from '../../src/actions/file-ends.ts'
import { flatten, lines } from '../../src/messages/text/untrusted-text.ts'

const parts =
  'x \\ " [ [] {"a":1}, ## ::error:: \u0301 \u200b \ud83d \u001b \u001b[31m \u001b[1; \u001b]0;t \r50%'
const units = [
  ...parts.split(' '),
  ' ',
  '\n',
  '  File "a.py", line 1\n',
  '0 errors: no error ',
  'aaa',
]

// The length of each text in characters.
const size = 2 ** 20

/** Uses 1,000 secrets that begin alike, and one that nearly matches `aaa…` at each place. */
export function measureTexts(): { reader: string; unit: string; span: number }[] {
  const secrets = new Secrets(() => undefined)
  secrets.add(...Array.from({ length: 1_000 }, (_, at) => `https://store/result?signature=${at}`))
  secrets.add(`${'a'.repeat(2_000)}b`)
  const page = new Page(secrets.show)
  const json = { name: 'result.json', mediaType: 'application/json', size, complete: true }
  const readers: Record<string, (text: string) => unknown> = {
    lines,
    flatten,
    showLog: (text) => showLog(text, (shown) => shown),
    findCause,
    'Secrets.show': secrets.show,
    'Page.preformatted': (text) => page.preformatted(text),
    renderResult: (text) => renderResult({ ...json, text: `[${text.slice(0, -1)}` }, page),
  }
  return Object.entries(readers).map(([reader, read]) => {
    const spans = units.map((unit) => {
      const text = unit.repeat(Math.ceil(size / unit.length))
      const startedAt = performance.now()
      read(text)
      return { unit, span: performance.now() - startedAt }
    })
    return { reader, ...spans.reduce((worst, one) => (one.span > worst.span ? one : worst)) }
  })
}
