import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { actionFile, readActionFiles, root } from '../../scripts/docs/action-files.ts'
import { readPages } from '../../scripts/docs/pages.ts'
import { readTranscripts } from '../../scripts/docs/transcripts.ts'
import { hashesOf, hashFile, readPictures } from '../../scripts/pictures/sources.ts'
import { waitAction } from '../../src/version.ts'
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
  const readme = readFile(path.join(root, 'README.md'), 'utf8')

  it('names the wait action as hints do', async () => {
    expect(await readme).toContain(`| \`${waitAction}\` `)
  })

  it('is read in two minutes: few lines, and no table with long cells', async () => {
    const lines = (await readme).split('\n')
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
