import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readActionFiles, root, undescribed } from '../../scripts/docs/action-files.ts'
import { readExamples } from '../../scripts/docs/examples.ts'
import { fillBlocks, findDrift } from '../../scripts/docs/fill.ts'
import { prettify } from '../../scripts/docs/pretty.ts'
import { inputTable, makeBlocks, outputTable } from '../../scripts/docs/tables.ts'
import { readTranscripts } from '../../scripts/docs/transcripts.ts'

describe('the README', () => {
  it('says of inputs and outputs what the action.yml files say', async () => {
    const text = await readFile(path.join(root, 'README.md'), 'utf8')
    const blocks = await prettify(makeBlocks(await readActionFiles()))
    expect(findDrift(text, blocks)).toEqual([])
  })
})

describe('the page about jobs that run again', () => {
  it('shows what the bundles print, row by row', async () => {
    const text = await readFile(path.join(root, 'docs', 'reruns.md'), 'utf8')
    const transcripts = await readTranscripts()
    expect(findDrift(text, transcripts)).toEqual([])
    const shown = [...text.matchAll(/<!-- docs:(rerun:\S+) -->/g)].map(([, name]) => name)
    expect(shown.toSorted()).toEqual([...transcripts.keys()].toSorted())
  })
})

describe('the page of recipes', () => {
  it('shows the workflows that the tests run', async () => {
    const text = await readFile(path.join(root, 'docs', 'recipes.md'), 'utf8')
    const examples = await readExamples(text)
    expect(examples.size).toBeGreaterThan(5)
    expect(findDrift(text, examples)).toEqual([])
  })
})

describe('a table made from an action.yml', () => {
  it('shows name, default and meaning of each input', () => {
    const table = inputTable({
      project: { description: 'Name of the\nproject.', required: true },
      timeout: { description: 'Longest wait.', default: '1h' },
      seed: { description: 'Either {"a": 1} | <nothing>.' },
    })
    expect(table.split('\n')).toEqual([
      '| Input | Default | Meaning |',
      '| --- | --- | --- |',
      '| `project` | **required** | Name of the project. |',
      '| `timeout` | `1h` | Longest wait. |',
      '| `seed` |  | Either {"a": 1} \\| \\<nothing>. |',
    ])
  })

  it('shows name and meaning of each output', () => {
    expect(outputTable({ created: { description: 'true or false' } })).toContain(
      '| `created` | true or false |',
    )
  })

  it('is not made while an input says nothing of itself', () => {
    const inputs = { seed: {}, timeout: { description: ' ' }, project: { description: 'Name.' } }
    expect(undescribed('input', inputs)).toEqual(['input seed', 'input timeout'])
  })
})

describe('a text with markers', () => {
  const text = 'Before\n<!-- docs:a -->old<!-- /docs:a -->\nbetween <!-- docs:b --><!-- /docs:b -->'
  const blocks = new Map([
    ['a', '| new |\n'],
    ['b', 'other'],
  ])

  it('is filled between them, and nowhere else', () => {
    expect(fillBlocks(text, blocks)).toBe(
      'Before\n<!-- docs:a -->\n\n| new |\n\n<!-- /docs:a -->\nbetween <!-- docs:b -->\n\nother\n\n<!-- /docs:b -->',
    )
  })

  it('has drifted where it says something else', () => {
    expect(findDrift(text, blocks)).toEqual(['a', 'b'])
    const filled = fillBlocks(text, blocks)
    expect(findDrift(filled, blocks)).toEqual([])
    expect(findDrift(filled.replace('other', 'others'), blocks)).toEqual(['b'])
  })

  it.each([
    ['<!-- docs:a -->', '<!-- /docs:a --> is missing'],
    ['<!-- /docs:a -->', '<!-- docs:a --> is missing'],
    ['<!-- /docs:a --><!-- docs:a -->', '<!-- /docs:a --> stands before <!-- docs:a -->'],
    ['<!-- docs:a --><!-- docs:a --><!-- /docs:a -->', '<!-- docs:a --> stands there twice'],
  ])('%s is told to be broken', (broken, problem) => {
    expect(() => fillBlocks(broken, new Map([['a', '']]))).toThrow(problem)
  })
})
