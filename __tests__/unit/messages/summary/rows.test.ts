import { describe, expect, it } from '@jest/globals'
import { render } from './render-blocks.ts'

const renderValue = (value: unknown) => render(JSON.stringify(value))
const rowsOf = (table = '') => [...table.matchAll(/<tr>.*<\/tr>/g)].slice(1).map(([row]) => row)

describe('a list of flat objects', () => {
  it('is a table with the numbers as written', async () => {
    const [name, table] = await render(
      '[{"id":12345678901234567890,"ok":true,"note":null},{"id":1.0,"word":"a"}]',
    )

    expect(name).toBe(
      '<p><strong>Result</strong>: <code>result.json</code> (application/json, 9 bytes, 2 rows)</p>',
    )
    expect(table).toBe(`<table>
<tr><th>id</th><th>ok</th><th>note</th><th>word</th></tr>
<tr><td align="right">12345678901234567890</td><td dir="auto">true</td><td dir="auto">null</td><td dir="auto"></td></tr>
<tr><td align="right">1.0</td><td dir="auto"></td><td dir="auto"></td><td dir="auto">a</td></tr>
</table>`)
  })

  it('shows its first 50 rows and 12 columns, and says how many more there are', async () => {
    const row = Object.fromEntries(Array.from({ length: 15 }, (_, column) => [`c${column}`, 'x']))
    const [, table, rest] = await renderValue(Array(120).fill(row))

    expect(rowsOf(table)).toHaveLength(50)
    expect(rowsOf(table)[0]?.match(/<td/g)).toHaveLength(12)
    expect(rest).toBe('<p>… and 70 more rows and 3 more columns.</p>')
  })

  it('cuts a cell at 200 characters', async () => {
    const [, table] = await renderValue([{ text: 'x'.repeat(201) }])

    expect(rowsOf(table)).toEqual([`<tr><td dir="auto">${'x'.repeat(199)}…</td></tr>`])
  })

  it.each([
    ['markup', '<b>&"\'', '&lt;b&gt;&amp;&quot;&#39;'],
    ['Markdown', '**a** | `b` [c](d)', '**a** | `b` [c](d)'],
    ['line breaks', 'a\n\nb\r\nc', 'a<br><br>b<br>c'],
    ['control characters and colours', 'a\0\u001b[31mb', 'ab'],
    [
      'text for GitHub formulas, mentions and references',
      '$x$ @me #1',
      '<span>$</span>x<span>$</span> <span>@</span>me <span>#</span>1',
    ],
    ['right-to-left words, emoji and tabs', 'שלום 👍\tx', 'שלום 👍\tx'],
  ])('shows %s unchanged', async (_what, text, shown) => {
    expect(rowsOf((await renderValue([{ text }]))[1])).toEqual([
      `<tr><td dir="auto">${shown}</td></tr>`,
    ])
  })

  it('shows a column named __proto__ like any other', async () => {
    expect(rowsOf((await render('[{"__proto__":1}]'))[1])).toEqual([
      '<tr><td align="right">1</td></tr>',
    ])
  })
})

describe('a small series of numbers', () => {
  it('is drawn, above its table', async () => {
    const [, chart, table] = await renderValue([
      { day: 'Mon', rows: 3 },
      { day: 'Tue "]\n```', rows: -1.5 },
      { day: '水 10:30', rows: 4 },
    ])

    expect(chart).toBe(`\`\`\`mermaid
%%{init: {"themeVariables": {"xyChart": {"plotColorPalette": "#4c78a8"}}}}%%
xychart-beta
    x-axis ["Mon", "Tue", "水 10:30"]
    y-axis "rows" -1.5 --> 4
    bar [3, -1.5, 4]
\`\`\``)
    expect(rowsOf(table)).toHaveLength(3)
  })

  it('begins at zero', async () => {
    const [, chart] = await render('[{"a":"x","b":2},{"a":"y","b":3.5},{"a":"z","b":4}]')
    expect(chart).toContain('y-axis "b" 0 --> 4\n')
  })

  it('of 14 days has a bar for each day, and as many labels as fit side by side', async () => {
    const days = Array.from({ length: 14 }, (_, day) => ({ day: `2026-01-${day + 10}`, runs: day }))
    const [, chart = ''] = await renderValue(days)
    const [, axis = '[]'] = /x-axis (\[.*\])/.exec(chart) ?? []
    const labels = JSON.parse(axis) as string[]
    const shown = labels.filter((label) => label.startsWith('2026'))
    expect(shown).toEqual([10, 12, 14, 16, 18, 20, 22].map((day) => `2026-01-${day}`))
    // Mermaid draws bars with equal labels in one place.
    expect(new Set(labels.map((label) => label.trim())).size).toBe(14)
    expect(chart).toContain('bar [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]')
  })

  const rows = (...values: unknown[]) => JSON.stringify(values.map((b, a) => ({ a: `${a}`, b })))
  it.each([
    ['an object of numbers', '{"a":1,"b":2,"c":3}'],
    ['a list of numbers', '[4,5.0,6]'],
    ['two numbers', rows(1, 2)],
    ['more than 30', rows(...Array.from({ length: 31 }, (_, number) => number))],
    ['all alike', rows(7, 7, 7)],
    ['a number that no chart can hold', '[{"a":"x","b":1},{"a":"y","b":2},{"a":"z","b":1e400}]'],
    ['a number that needs an exponent', '[{"a":"x","b":1},{"a":"y","b":2},{"a":"z","b":1e-9}]'],
    ['two columns of numbers', '[{"a":1,"b":2},{"a":2,"b":3},{"a":3,"b":4}]'],
    ['a gap', '[{"a":"x","b":2},{"a":"y"},{"a":"z","b":4}]'],
    ['equal labels', '[{"a":"x","b":1},{"a":"x","b":2},{"a":"z","b":3}]'],
  ])('is not drawn: %s', async (_why, text) => {
    expect((await render(text)).join('\n')).not.toContain('mermaid')
  })
})
