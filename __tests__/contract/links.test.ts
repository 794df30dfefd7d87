import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { root } from '../../scripts/docs/action-files.ts'
import { anchorOf } from '../support/anchor.ts'

const inFolders = '{docs,examples,real,.github}/**/*.md'
const pages = globSync(['*.md', inFolders], { cwd: root, exclude: ['**/node_modules/**'] }).map(
  withSlashes,
)
const recipes = globSync('examples/*.yml', { cwd: root }).map(withSlashes)
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

function withSlashes(file: string): string {
  return file.split(path.sep).join('/')
}

/** Returns the relative links of a page, as paths from the root. Links in code do not count. */
function linksOf(page: string, text = read(page)): { file: string; heading: string }[] {
  const prose = text.replaceAll(/^(`{3,}).*?^\1$|`[^`\n]*`/gms, '``')
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)]
  return targets
    .map(([, link = '', attribute = '']) => link || attribute)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', heading = ''] = target.split('#')
      const from = file === '' ? page : path.join(path.dirname(page), file)
      return { file: withSlashes(path.normalize(from)), heading }
    })
}

/** Returns the anchors of headings, and of table rows that have an id. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
  const rows = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)
  return [...headings, ...rows]
}

function isBroken({ file, heading }: { file: string; heading: string }): boolean {
  if (!existsSync(path.join(root, file))) return true
  return heading !== '' && !anchorsOf(read(file)).includes(heading)
}

describe('a link', () => {
  it.each(pages)('leads to a file and a heading that exist, in %s', (page) => {
    expect(linksOf(page).filter(isBroken)).toEqual([])
  })

  it('is broken if the file or the heading does not exist', () => {
    const text =
      '[a](none.md) [b](#none) [c](docs/reference/run.md#seed) `[d](none.md)` [e](#recipes)'
    expect(linksOf('README.md', text).filter(isBroken)).toEqual([
      { file: 'none.md', heading: '' },
      { file: 'README.md', heading: 'none' },
    ])
  })

  it('leads once from the list of recipes to each example', () => {
    const list = read('docs/recipes.md').split(/^## /m)[0]
    const linked = linksOf('docs/recipes.md', list).map(({ file }) => file)
    const files = linked.filter((file) => file.endsWith('.yml'))
    expect(files.toSorted()).toEqual(recipes.toSorted())
  })

  it('leads from the README to the pages of recipes and of waiting', () => {
    const linked = linksOf('README.md').map(({ file }) => file)
    expect(linked).toEqual(expect.arrayContaining(['docs/recipes.md', 'docs/waiting.md']))
  })
})

describe('a page of the documentation', () => {
  const known = new Set(['README.md'])
  // The iteration of a set includes elements that are added during the iteration.
  for (const page of known) {
    for (const { file } of linksOf(page)) if (pages.includes(file)) known.add(file)
  }

  it.each(pages.filter((page) => page.startsWith('docs/')))(
    'is found from the README: %s',
    (page) => {
      expect([...known]).toContain(page)
    },
  )
})

describe('the page about waiting', () => {
  const linked = linksOf('docs/waiting.md').map(({ file }) => file)
  const citing = recipes.filter((recipe) => read(recipe).includes('docs/waiting.md'))

  it('is named by recipes, and links to each that names it', () => {
    expect(citing.length).toBeGreaterThan(4)
    expect(citing.filter((recipe) => !linked.includes(recipe))).toEqual([])
  })
})

it('the threat model in SECURITY.md names tests that exist', () => {
  const folders = 'action|contract|simulation|unit|wire|workflow'
  const named = read('SECURITY.md').match(RegExp(`(?<=\`)(?:${folders})/[a-z/-]+(?=\`)`, 'g')) ?? []
  const isThere = (test: string) => existsSync(path.join(root, '__tests__', `${test}.test.ts`))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((test) => !isThere(test))).toEqual([])
})
