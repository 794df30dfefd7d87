import { describe, expect, it } from '@jest/globals'
import { renderResult } from '../../../../src/messages/summary/result.ts'
import { Page } from '../../../../src/messages/summary/html.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
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
  ])('is text, with numbers as written: %s', async (_what, text, shown) => {
    expect((await render(text))[1]).toBe(shown)
  })

  it('is not indented if it is nested too deep', async () => {
    const [, shown] = await render('['.repeat(2_000) + ']'.repeat(2_000))

    expect(shown?.length).toBeLessThan(3_000)
  })
})

it('a text that itself ends with … is shown whole', async () => {
  expect((await render('"to be continued…"'))[0]).not.toContain('beginning')
})

describe('the beginning of a file with rows', () => {
  it('is a table, and the summary says that there are more rows', async () => {
    const [name, table, rest] = await render('[{"a":1},{"a"', { complete: false, size: 9_000_000 })

    expect(name).toContain('(application/json, 8.6 MiB, its first rows are shown)')
    expect(table).toContain('<td align="right">1</td>')
    expect(rest).toBe('<p>… and more rows.</p>')
  })
})

describe('a list of rows in an object', () => {
  it('is a table below its name and the other members', async () => {
    const [, around, table] = await render('{"$total":2,"next":"<b>","items":[{"a":1},{"a":2}]}')

    expect(around).toBe('<p><strong>items</strong> (<span>$</span>total: 2, next: &lt;b&gt;)</p>')
    expect(table).toContain('<td align="right">2</td>')
  })
})

describe('CSV', () => {
  const csv = { name: 'result.csv', mediaType: 'text/csv' }

  it('is a table, with numbers as they are written', async () => {
    const [name, table] = await render('id,price\n007,1.50\n', csv)
    expect(name).toContain('(text/csv, 9 bytes, 1 row)')
    expect(table).toContain('<td dir="auto">007</td><td align="right">1.50</td>')
  })

  it('that is broken is text', async () => {
    expect(await render('a,b\n1\n', csv)).toEqual([
      '<p><strong>Result</strong>: <code>result.csv</code> (text/csv, 9 bytes)</p>',
      '<pre>a,b\n1</pre>',
    ])
  })

  it('hides a secret with a doubled quote', async () => {
    const secrets = new Secrets(() => undefined)
    secrets.add('pass"word-1')
    const blocks = await render(
      'a,"x pass""word-1"\n"a pass""word-1",2\n',
      csv,
      new Page(secrets.show),
    )
    expect(blocks[1]).toContain('<th>x ***</th>')
    expect(blocks[1]).toContain('<td dir="auto">a ***</td>')
  })
})

it('a secret with an escape in a nested value is hidden', async () => {
  const secrets = new Secrets(() => undefined)
  secrets.add('password-1')
  const shown = new Page(secrets.show)
  const text = String.raw`{"p\u0061ssword-1": 1, "rows": [{"a": {"p\u0061ssword-1": ["\u0070assword-1"]}}]}`
  expect((await render(text, {}, shown)).join('\n')).not.toMatch(/assword/)
})

describe('a text', () => {
  const text = { name: 'result.txt', mediaType: 'text/plain' }

  it('is shown unchanged, with its blank lines', async () => {
    expect((await render('a\n\n<b>\n', text))[1]).toBe('<pre>a\n&#32;\n&lt;b&gt;</pre>')
  })

  it('is folded if it is longer than 30 lines', async () => {
    expect((await render('x\n'.repeat(30), text))[1]).toMatch(/^<pre>/)
    expect((await render('x\n'.repeat(31), text))[1]).toMatch(
      /^<details><summary>The result<\/summary>\n<pre>/,
    )
  })

  it('of one line of a megabyte is cut, and the summary says so', async () => {
    const [name, shown] = await render('x'.repeat(1_000_000), text)

    expect(name).toContain('its beginning is shown')
    expect(shown?.length).toBeLessThan(1_100)
  })

  it('that is empty is called empty', async () => {
    expect(await render('\n', text)).toEqual([
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
      'result.zip</code> (application/zip, 1 byte, not UTF-8 text)',
    ],
  ])('is named with its size: %j', (preview, shown) => {
    const blocks = renderResult({ ...preview, complete: false, text: undefined }, page)

    expect(blocks).toEqual([`<p><strong>Result</strong>: <code>${shown}</p>`])
  })

  it('is not shown if it is an SVG image, although SVG is text', async () => {
    expect(await render('<svg/>', { mediaType: 'image/svg+xml' })).toHaveLength(1)
  })
})
