import { describe, expect, it } from '@jest/globals'
import { Page } from '../../../../src/messages/summary/html.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { render } from './render-blocks.ts'

const csv = { name: 'result.csv', mediaType: 'text/csv' }
const chartOf = async (text: string, secret = '') => {
  const secrets = new Secrets(() => undefined)
  secrets.add(secret)
  const blocks = await render(text, csv, new Page(secrets.show))
  return blocks.find((block) => block.startsWith('```'))
}
const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10)
const daysOf = (count: number) =>
  `day,note,sold,left\n${Array.from({ length: count }, (_, n) => `${day(n)},x,${100 + n},1`).join('\n')}`

describe('rows whose first column is a time', () => {
  it('are a line of the first column of numbers', async () => {
    expect(
      await chartOf('month,note,price,left\n2026-01,x,19.50,1\n2026-02,,20,2\n2026-03,x,-3,3\n'),
    ).toBe(`\`\`\`mermaid
%%{init: {"xyChart": {"xAxis": {"showTick": false}}, "themeVariables": {"xyChart": {"plotColorPalette": "#4c78a8"}}}}%%
xychart-beta
    x-axis ["2026-01", "2026-02", "2026-03"]
    y-axis "price" -3 --> 20
    line [19.5, 20, -3]
\`\`\``)
  })

  it.each([
    ['years', '1899\n1900\n2026'],
    ['dates with a time', '2026-01-01T09:00:00Z\n2026-01-01T09:30:00Z\n2026-01-01T10:00:00Z'],
    ['dates with a time and a space', '2026-01-01 09:00\n2026-01-01 10:00\n2026-01-02 09:00'],
    ['words', 'Jan 1 2026\nFeb 1 2026\nMar 1 2026'],
    ['words without days', 'December 2025\nJanuary 2026\nFebruary 2026'],
  ])('may have %s', async (_what, times) => {
    const rows = times.split('\n').map((time, n) => `${time},x,${n}`)
    expect(await chartOf(`time,note,n\n${rows.join('\n')}`)).toContain('line [0, 1, 2]')
  })

  it.each([
    ['not in ascending order', '2026-01-01\n2026-01-03\n2026-01-02'],
    ['equal times', '2026-01-01\n2026-01-01\n2026-01-02'],
    ['no date', '2026-01-01\n2026-13-01\n2026-14-01'],
    ['two ways to write it', '2025\n2026-01-02\n2026-01-03'],
    ['numbers that are no years', '1001\n1002\n1003'],
    ['names', 'a\nb\nc'],
  ])('are no line: %s', async (_what, times) => {
    const rows = times.split('\n').map((time, n) => `${time},x,${n}`)
    expect(await chartOf(`time,note,n\n${rows.join('\n')}`)).toBeUndefined()
  })

  it('are a line from 3 to 366 points, also below a table of 50 rows', async () => {
    expect(await chartOf(daysOf(2))).toBeUndefined()
    expect(await chartOf(daysOf(3))).toContain('line [100, 101, 102]')
    expect(await chartOf(daysOf(366))).toContain(', 465]')
    expect(await chartOf(daysOf(367))).toBeUndefined()
  })

  it('have different labels, of which those are visible that fit side by side', async () => {
    const chart = (await chartOf(daysOf(366))) ?? ''
    const labels = JSON.parse(/x-axis (\[.*\])/.exec(chart)?.[1] ?? '') as string[]
    expect(labels.filter((label) => /\d/.test(label))).toEqual(
      Array.from({ length: 8 }, (_, n) => day(n * 51)),
    )
    expect(new Set(labels).size).toBe(366)
    expect(Buffer.byteLength(chart)).toBeLessThan(20_000)
  })

  it('stay bars if they have two columns and at most 30 rows', async () => {
    const rows = (count: number) =>
      `day,n\n${Array.from({ length: count }, (_, n) => `${day(n)},${n}`).join('\n')}`
    expect(await chartOf(rows(30))).toContain('bar [')
    expect(await chartOf(rows(31))).toContain('line [')
  })

  it('are no line without numbers, with a gap, or if all numbers are equal', async () => {
    for (const [one, other] of [
      ['x', 'y'],
      ['1', ''],
      ['1', 'n/a'],
      ['7', '7'],
    ]) {
      const rows = `day,note,n\n2025,x,${one ?? ''}\n2026,x,${one ?? ''}\n2027,x,${other ?? ''}`
      expect(await chartOf(rows)).toBeUndefined()
    }
  })
})

describe('a secret', () => {
  it.each(['hunter-2*"x"', '4711.50', 'Mar 1 2026'])('is in no chart: %s', async (secret) => {
    const name = secret.startsWith('h') ? secret.replaceAll('"', '""') : 'n'
    const text = `t,x,"${name}"\nJan 1 2026,x,1\nFeb 1 2026,x,2\nMar 1 2026,x,4711.50\n`
    expect(await chartOf(text)).toContain('line [')
    expect(await chartOf(text, secret)).toBeUndefined()
  })
})
