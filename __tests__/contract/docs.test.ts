import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { actionFile, readActionFiles, root } from '../../scripts/docs/action-files.ts'
import { fillBlocks } from '../../scripts/docs/fill.ts'
import { readPages } from '../../scripts/docs/pages.ts'
import { makeReference } from '../../scripts/docs/reference.ts'
import { readTranscripts } from '../../scripts/docs/transcripts.ts'
import { hashesOf, hashFile, readPictures } from '../../scripts/pictures/sources.ts'
import { supportedDockerVersions, supportedRegions } from '../../sandbox/service/projects.ts'

const pages = await readPages()
const textOf = (page: string) => pages.find(({ file }) => file === `docs/${page}.md`)?.text ?? ''

describe('a page with text made from elsewhere', () => {
  it.each(pages)('says what it is made from: $file', ({ text, made }) => {
    expect(text).toBe(made)
  })

  it('has no marker that nothing is made for', async () => {
    const transcripts = await readTranscripts()
    const shown = [...textOf('reruns').matchAll(/<!-- docs:(\S+) -->/g)].map(([, name]) => name)
    expect(shown.toSorted()).toEqual([...transcripts.keys()].toSorted())
  })
})

describe('the reference', () => {
  const timeout = { description: 'Longest\nwait. 0s looks once.', default: '1h' }
  const message = (description: string) => ({ message: { description } })
  const reference = makeReference({
    run: { inputs: { seed: { description: 'A <seed>.', required: true } }, outputs: {} },
    start: { inputs: {}, outputs: message('What it said of the start.') },
    wait: { inputs: { timeout }, outputs: {} },
    batch: { inputs: { timeout }, outputs: message('What it said of the batch.') },
  })
  const blockOf = (page: string, kind: string) =>
    reference.get(`docs/reference/${page}.md`)?.get(kind)

  it('says what an input of one action means on the page of that action', () => {
    expect(blockOf('run', 'inputs')).toBe(
      '- [`seed`](#seed): **required**\n\n### `seed`\n\n**required**\n\nA \\<seed>.',
    )
  })

  it('says what an input of several actions means once, and links to that from theirs', () => {
    expect(blockOf('inputs', 'inputs')).toBe(
      '### `timeout`\n\ndefault `1h` · [wait](wait.md), [batch](batch.md)\n\nLongest wait. 0s looks once.',
    )
    expect(blockOf('wait', 'inputs')).toBe(
      '- [`timeout`](inputs.md#timeout): default `1h` · Longest wait.',
    )
    expect(blockOf('batch', 'inputs')).toBe(blockOf('wait', 'inputs'))
  })

  it('takes outputs of one name for two where their words differ', () => {
    expect(blockOf('outputs', 'outputs')).toBe('')
    expect(blockOf('start', 'outputs')).toContain('What it said of the start.')
    expect(blockOf('batch', 'outputs')).toContain('What it said of the batch.')
  })

  it('is not made while an input says nothing of itself', async () => {
    const { run } = await readActionFiles()
    const inputs = { ...run.inputs, seed: {}, timeout: { description: ' ' } }
    const { error } = actionFile.safeParse({ ...run, inputs })
    expect(error?.issues.map(({ path }) => path.join(' '))).toEqual([
      'inputs seed description',
      'inputs timeout description',
    ])
  })
})

describe('the README', () => {
  it('is read in two minutes: few lines, and no table with long cells', async () => {
    const lines = (await readFile(path.join(root, 'README.md'), 'utf8')).split('\n')
    const cells = lines.flatMap((line) => (/^\|.*\|$/.exec(line) ? line.split('|') : []))
    expect(lines.length).toBeLessThanOrEqual(200)
    expect(Math.max(...cells.map(({ length }) => length))).toBeLessThan(100)
  })

  it('has pictures of what is printed today: else draw them by `npm run pictures`', async () => {
    const drawn = JSON.parse(await readFile(hashFile, 'utf8')) as unknown
    expect(hashesOf(await readPictures())).toEqual(drawn)
  })
})

describe('the page of create-project', () => {
  it.each([...supportedRegions, ...supportedDockerVersions])(
    'names what the sandbox takes: %s',
    (value) => {
      expect(textOf('reference/create-project')).toContain(`\`${value}\``)
    },
  )
})

describe('a text with markers', () => {
  const text = 'Before\n<!-- docs:a -->old<!-- /docs:a -->\nbetween <!-- docs:b --><!-- /docs:b -->'
  const blocks = new Map([
    ['a', '| new |'],
    ['b', 'other'],
  ])

  it('is filled between them, and nowhere else', () => {
    expect(fillBlocks(text, blocks)).toBe(
      'Before\n<!-- docs:a -->\n\n| new |\n\n<!-- /docs:a -->\nbetween <!-- docs:b -->\n\nother\n\n<!-- /docs:b -->',
    )
  })
})
