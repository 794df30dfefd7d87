/** Tests that docs/troubleshooting.md has an entry for each annotation, and no other entries. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { root } from '../../scripts/docs/action-files.ts'
import {
  headingOf,
  helpLine,
  notes,
  noteText,
  titles,
  type Entry,
} from '../../src/messages/catalogue.ts'
import { anchorOf } from '../support/anchor.ts'

const page = readFileSync(path.join(root, 'docs', 'troubleshooting.md'), 'utf8')
/** An entry reaches from its `###` to the next heading. */
const entries = page
  .split(/^(?=#{1,3} )/m)
  .filter((part) => part.startsWith('### '))
  .map((part) => {
    const heading = /^### (.*)$/m.exec(part)?.[1] ?? ''
    const [before = '', quoted = ''] = part.split(/<!-- \/?docs:message:[a-z-]+ -->/)
    return { heading, anchor: anchorOf(heading), advice: before.replace(/^###.*/, ''), quoted }
  })

const messages = [...Object.values(titles), ...Object.values(notes)].map(([text, help]) => {
  return { text, anchor: help }
})

/** A bundle prints this annotation itself on an old Node, before any module runs. */
const oldNode = { text: 'Node 24 is needed', anchor: 'node-24-is-needed' }

function entryAt(anchor: string) {
  const [entry, ...more] = entries.filter((each) => each.anchor === anchor)
  if (!entry || more.length > 0) throw new Error(`not one entry at #${anchor}`)
  return entry
}

describe('every message', () => {
  it.each(messages)('leads to an entry that quotes it: $text', ({ text, anchor }) => {
    const { quoted } = entryAt(anchor)
    const fixedWords = text.split(/\{\w+\}/).filter((part) => part.trim() !== '')
    expect(fixedWords.filter((part) => !quoted.includes(part))).toEqual([])
  })
})

it('the message of an old Node has these words, and the pages name the same runner', () => {
  const guard = readFileSync(path.join(root, 'scripts', 'build', 'node-guard.mjs'), 'utf8')
  const [next = '', runner = ''] =
    /Next: Update the runner to ([\d.]+ or later).*?(?=%0A)/.exec(guard) ?? []
  const { advice } = entryAt(oldNode.anchor)
  expect(runner).not.toBe('')
  expect(advice).toContain(next)
  for (const page of ['README.md', 'docs/runners.md']) {
    expect(readFileSync(path.join(root, page), 'utf8')).toContain(runner)
  }
  expect(guard).toContain(`::error title=${oldNode.text}::`)
  expect(guard).toContain(helpLine('failed').replace('#failed', `#${oldNode.anchor}`))
})

describe('every entry', () => {
  it.each(entries)(
    'belongs to a message, has a heading of its words, and advice: $heading',
    (entry) => {
      const own = [...messages, oldNode].filter(({ anchor }) => anchor === entry.anchor)
      const inOrder = new RegExp((entry.heading.match(/[\w'-]+/g) ?? []).join('.*?'), 'i')
      expect(own.map(({ text }) => text).filter((text) => inOrder.test(text))).not.toEqual([])
      expect(entry.advice.trim()).not.toBe('')
    },
  )

  it.each<{ anchor: Entry; variants: string[] }>([
    {
      anchor: 'was-not-started',
      variants: ['400', '401', '403', '404', '429', '301', 'No connection', 'certificate', 'proxy'],
    },
    {
      anchor: 'may-or-may-not-have-started',
      variants: ['302', 'web page', '503', 'ECONNRESET', 'cancelled'],
    },
    { anchor: 'invalid-input', variants: ['comes from a secret', 'a fork', 'Dependabot'] },
    {
      anchor: 'project-was-not-created',
      variants: ['400', '401', '403', '404', '429', '301', 'No connection'],
    },
    { anchor: 'project-may-or-may-not-have-been-created', variants: ['302', 'web page', '503'] },
    { anchor: 'can-no-longer-be-watched', variants: ['400', '401', '403', '405', '410', '422'] },
    { anchor: 'the-commit-status-was-not-set', variants: ['401', '403', '404', '422'] },
  ])('$anchor lists its variants', ({ anchor, variants }) => {
    const { advice, quoted } = entryAt(anchor)
    expect(variants.filter((words) => !`${advice}${quoted}`.includes(words))).toEqual([])
  })

  it('has a unique anchor, because GitHub numbers the second of two equal headings', () => {
    const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
    expect(anchors).toHaveLength(new Set(anchors).size)
  })
})

describe('a text of the catalogue', () => {
  it('is filled in once: a placeholder in a value stays as it is', () => {
    const { title } = headingOf('error', { subject: '{subject} and {name}' })
    expect(title).toBe('{subject} and {name} failed')
  })

  it('is filled in at every placeholder', () => {
    const values = { name: 'status', why: 'no space left' }
    expect(noteText('output-not-set', values)).toMatch(/^The output status was not set: no space/)
  })
})
