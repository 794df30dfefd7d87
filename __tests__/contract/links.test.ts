/** Links between files of the repository lead somewhere; no recipe is left without one to it. */
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

/** The relative links of a page, from the root; code is no link. */
function linksOf(page: string, text = read(page)): { file: string; heading: string }[] {
  const prose = text.replaceAll(/^(`{3,}).*?^\1$|`[^`\n]*`/gms, '``')
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)]
  return targets
    .map(([, link = '', attribute = '']) => link || attribute)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', heading = ''] = target.split('#')
      const from = file === '' ? page : path.join(path.dirname(page), file)
      return { file: withSlashes(path.normalize(from)), heading }
    })
}

function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

function isBroken({ file, heading }: { file: string; heading: string }): boolean {
  if (!existsSync(path.join(root, file))) return true
  return heading !== '' && !anchorsOf(read(file)).includes(heading)
}

describe('a link', () => {
  it.each(pages)('leads somewhere, in %s', (page) => {
    expect(linksOf(page).filter(isBroken)).toEqual([])
  })

  it('is known to be broken where the file or the heading is not there', () => {
    const text = '[a](none.md) [b](#none) [c](docs/reruns.md#reported) `[d](none.md)` [e](#recipes)'
    expect(linksOf('README.md', text).filter(isBroken)).toEqual([
      { file: 'none.md', heading: '' },
      { file: 'README.md', heading: 'none' },
    ])
  })

  it.each(recipes)('leads from the page of recipes to %s', (recipe) => {
    expect(linksOf('docs/recipes.md').map(({ file }) => file)).toContain(recipe)
  })

  it('leads from the README to the pages of recipes and of waiting', () => {
    const linked = linksOf('README.md').map(({ file }) => file)
    expect(linked).toEqual(expect.arrayContaining(['docs/recipes.md', 'docs/waiting.md']))
  })
})

describe('a page of the documentation', () => {
  const known = new Set(['README.md'])
  // A set yields what is added to it while it is gone through.
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

it('the threat model in SECURITY.md names tests that are there', () => {
  const folders = 'action|contract|simulation|unit|wire|workflow'
  const named = read('SECURITY.md').match(RegExp(`(?<=\`)(?:${folders})/[a-z/-]+(?=\`)`, 'g')) ?? []
  const isThere = (test: string) => existsSync(path.join(root, '__tests__', `${test}.test.ts`))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((test) => !isThere(test))).toEqual([])
})
