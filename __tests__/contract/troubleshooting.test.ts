import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { root } from '../../scripts/docs/action-files.ts'
import { notes, noteText, titled, titles } from '../../src/messages/catalogue.ts'

const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
const [, section = ''] = /^## Troubleshooting\n(.*?)^## /ms.exec(readme) ?? []
/** What the table is searched for: the words in code of its first column. */
const keys = [...section.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, key = '']) => key),
)
const texts = [...Object.values(titles), ...Object.values(notes).map(({ text }) => text)].map(
  (text) => text.replaceAll(/\{\w+\}/g, '…'),
)

describe('the table of messages in the documentation', () => {
  it.each(texts)('has an entry for: %s', (text) => {
    expect(keys.filter((key) => text.includes(key))).not.toEqual([])
  })

  it.each(keys)('has none for what is not told any more: %s', (key) => {
    expect(texts.filter((text) => text.includes(key))).not.toEqual([])
  })
})

describe('a text of the catalogue', () => {
  it('is filled in, once: a value is never taken for a place to fill in', () => {
    expect(titled('error', { subject: '{subject} and {name}' })).toBe('{subject} and {name} failed')
  })

  it('is filled in at every place', () => {
    const values = { input: 'result-file', target: 'out/x.csv' }
    expect(noteText('nothing-to-copy', values)).toMatch(/^result-file: nothing .* out\/x\.csv, /)
  })
})
