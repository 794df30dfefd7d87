import { describe, expect, it } from '@jest/globals'
import { renderResult } from '../../../../src/messages/summary/result.ts'
import { page, render } from './render-blocks.ts'

describe('JSON that is no list of rows', () => {
  it.each([
    [
      'an object',
      '{"total":1.50,"list":[1.0],"id":12345678901234567890}',
      '<pre>{\n  &quot;total&quot;: 1.50,\n  &quot;list&quot;: [\n    1.0\n  ],\n  &quot;id&quot;: 12345678901234567890\n}</pre>',
    ],
    ['an empty list', '[]', '<pre>[]</pre>'],
    ['a plain value', '"a\\nb"', '<pre>a\nb</pre>'],
    ['broken JSON', '{"a":', '<pre>{&quot;a&quot;:</pre>'],
    ['JSON nested beyond reading', '['.repeat(200_000), `<pre>${'['.repeat(999)}…</pre>`],
  ])('is text, with numbers as written: %s', (_what, text, shown) => {
    expect(render(text)[1]).toBe(shown)
  })

  it('is not indented if it is nested too deep', () => {
    const [, shown] = render('['.repeat(2_000) + ']'.repeat(2_000))

    expect(shown?.length).toBeLessThan(3_000)
  })
})

describe('a list of rows that was cut', () => {
  it('is text', () => {
    const [name, shown] = render('[{"a":1},{"a"', { complete: false, size: 3_000_000 })

    expect(name).toContain('(application/json, 2.9 MiB, its beginning is shown)')
    expect(shown).toBe('<pre>[{&quot;a&quot;:1},{&quot;a&quot;</pre>')
  })
})

describe('a text', () => {
  const text = { name: 'result.txt', mediaType: 'text/plain' }

  it('is shown unchanged, with its blank lines', () => {
    expect(render('a\n\n<b>\n', text)[1]).toBe('<pre>a\n&#32;\n&lt;b&gt;</pre>')
  })

  it('is folded if it is longer than 30 lines', () => {
    expect(render('x\n'.repeat(30), text)[1]).toMatch(/^<pre>/)
    expect(render('x\n'.repeat(31), text)[1]).toMatch(
      /^<details><summary>The result<\/summary>\n<pre>/,
    )
  })

  it('of one line of a megabyte is cut, and the summary says so', () => {
    const [name, shown] = render('x'.repeat(1_000_000), text)

    expect(name).toContain('its beginning is shown')
    expect(shown?.length).toBeLessThan(1_100)
  })

  it('that is empty is called empty', () => {
    expect(render('\n', text)).toEqual([
      '<p><strong>Result</strong>: <code>result.txt</code> (text/plain, 9 bytes, empty)</p>',
    ])
  })
})

describe('a result that is no text', () => {
  it.each([
    [
      { name: 'result.png', mediaType: 'image/png', size: 1_048_576 },
      'result.png</code> (image/png, 1 MiB)',
    ],
    [
      { name: 'result.zip', mediaType: 'application/zip', size: 1 },
      'result.zip</code> (application/zip, 1 byte)',
    ],
  ])('is named with its size: %j', (preview, shown) => {
    const blocks = renderResult({ ...preview, complete: false, text: undefined }, page)

    expect(blocks).toEqual([`<p><strong>Result</strong>: <code>${shown}</p>`])
  })

  it('is not shown if it is an SVG image, although SVG is text', () => {
    expect(render('<svg/>', { mediaType: 'image/svg+xml' })).toHaveLength(1)
  })
})
