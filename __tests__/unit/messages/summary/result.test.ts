import { describe, expect, it } from '@jest/globals'
import type { ResultPreview } from '../../../../src/messages/summary/parts.ts'
import { Page } from '../../../../src/messages/summary/html.ts'
import { renderResult } from '../../../../src/messages/summary/result.ts'

const page = new Page((text) => text)

/** The blocks of a result, behind the line that names it. */
function render(text: string, preview: Partial<ResultPreview> = {}): string[] {
  const result = { name: 'result.json', mediaType: 'application/json', size: 9, complete: true }
  return renderResult({ ...result, text, ...preview }, page)
}
const renderValue = (value: unknown) => render(JSON.stringify(value))
const rowsOf = (table = '') => [...table.matchAll(/<tr>.*<\/tr>/g)].slice(1).map(([row]) => row)

describe('an object', () => {
  it('is a table of its keys and values', () => {
    const [, table] = render('{"total":1.50,"ok":true,"deep":{"list":[1.0]}}')

    expect(table).toBe(`<table>
<tr><th align="left">total</th><td align="right">1.50</td></tr>
<tr><th align="left">ok</th><td dir="auto">true</td></tr>
<tr><th align="left">deep</th><td dir="auto">{&quot;list&quot;:[1.0]}</td></tr>
</table>`)
  })

  it('shows a list of rows in it as a table of its own', () => {
    const [, table, title, inner] = renderValue({ total: 1, words: [{ word: 'a' }] })

    expect(table).toContain('total')
    expect(title).toBe('<p><strong>words</strong></p>')
    expect(rowsOf(inner)).toEqual(['<tr><td dir="auto">a</td></tr>'])
  })

  it('says how many entries it leaves out', () => {
    const entries = Array.from({ length: 51 }, (_, at) => [`key ${at}`, 'x'])

    expect(renderValue(Object.fromEntries(entries)).at(-1)).toBe('<p>… and 1 more entry.</p>')
  })
})

describe('any other JSON', () => {
  it.each([
    [
      'a list of lists',
      '[[1.0],["<b>"]]',
      '[\n  [\n    1.0\n  ],\n  [\n    &quot;&lt;b&gt;&quot;\n  ]\n]',
    ],
    ['an empty list', '[]', '[]'],
    ['an empty object', '{}', '{}'],
  ])('is folded: %s', (_what, text, shown) => {
    expect(render(text)[1]).toBe(
      `<details><summary>The result as JSON</summary>\n<pre>${shown}</pre>\n</details>`,
    )
  })

  it('is not indented where it is nested too deep for that', () => {
    const [, shown] = render('['.repeat(1_000) + ']'.repeat(1_000))

    expect(shown?.length).toBeLessThan(3_000)
  })

  it.each([
    ['a plain value', '"a\\nb"', '<pre>a\nb</pre>'],
    ['broken JSON', '{"a":', '<pre>{&quot;a&quot;:</pre>'],
    ['JSON nested beyond reading', '['.repeat(200_000), `<pre>${'['.repeat(999)}…</pre>`],
  ])('is text: %s', (_what, text, shown) => {
    expect(render(text)[1]).toBe(shown)
  })
})

describe('a text', () => {
  const text = { name: 'result.txt', mediaType: 'text/plain' }

  it('is shown as it is, its blank lines included', () => {
    expect(render('a\n\n<b>\n', text)[1]).toBe('<pre>a\n&#32;\n&lt;b&gt;</pre>')
  })

  it('is folded where it is longer than 30 lines', () => {
    expect(render('x\n'.repeat(30), text)[1]).toMatch(/^<pre>/)
    expect(render('x\n'.repeat(31), text)[1]).toMatch(
      /^<details><summary>The result<\/summary>\n<pre>/,
    )
  })

  it('of one line of a megabyte is shown in its beginning, and says so', () => {
    const [name, shown] = render('x'.repeat(1_000_000), text)

    expect(name).toContain('its beginning is shown')
    expect(shown?.length).toBeLessThan(1_100)
  })

  it('that is empty is said to be', () => {
    expect(render('\n', text)).toEqual([
      '<p><strong>Result</strong>: <code>result.txt</code> (text/plain, 9 bytes, empty)</p>',
    ])
  })
})

describe('what is no text', () => {
  it.each([
    [
      { name: 'result.png', mediaType: 'image/png', size: 1_048_576 },
      'result.png</code> (image/png, 1 MiB)',
    ],
    [
      { name: 'result.zip', mediaType: 'application/zip', size: 1 },
      'result.zip</code> (application/zip, 1 byte)',
    ],
  ])('is named with its size: %j', (preview, told) => {
    const blocks = renderResult({ ...preview, complete: false }, page)

    expect(blocks).toEqual([`<p><strong>Result</strong>: <code>${told}</p>`])
  })

  it('an image stays an image where it is text, as SVG is', () => {
    expect(render('<svg/>', { mediaType: 'image/svg+xml' })).toHaveLength(1)
  })
})
