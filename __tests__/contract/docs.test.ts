import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { actionFile, readActionFiles, root } from '../../scripts/docs/action-files.ts'
import { readPages } from '../../scripts/docs/pages.ts'
import { withRef } from '../../scripts/docs/refs.ts'
import { expectAllBounds, withBounds } from '../../scripts/docs/write-bounds.ts'
import { hashFile, readHashes } from '../../scripts/pictures/sources.ts'
import { waitAction } from '../../src/version.ts'
import { supportedDockerVersions, supportedRegions } from '../../sandbox/service/projects.ts'

const pages = await readPages()
const textOf = (page: string) => pages.find(({ file }) => file === `docs/${page}.md`)?.text ?? ''

describe('a page with generated text', () => {
  it.each(pages)('is up to date, else run `npm run docs`: $file', ({ text, made }) => {
    expect(text).toBe(made)
  })
})

// A branch or a major tag that does not come from `ref` would lead to another version, or nowhere.
it('no file names another ref of this repository', () => {
  const files = execFileSync('git', ['ls-files', '-z', ':!dist', ':!CHANGELOG.md'], { cwd: root })
  const others = files
    .toString()
    .split('\0')
    .filter((file) => {
      const text = file === '' ? '' : readFileSync(path.join(root, file), 'utf8')
      return text !== withRef(text)
    })
  expect(others).toEqual([])
})

describe('a bound of the sources', () => {
  it('is written before its marker, and among the words of a description', () => {
    const page = 'up to 7<!--maxSeeds--> or 1 h<!--maxSeedSize-->'
    expect(withBounds(page)).toBe('up to 10,000<!--maxSeeds--> or 10 MiB<!--maxSeedSize-->')
    const description = 'At most 7 seeds and 1\n      KiB. A file'
    expect(withBounds(description)).toBe('At most 10,000 seeds and 20 MiB. A file')
  })

  it.each([
    ['10<!--maxTypos-->', 'has no bound maxTypos'],
    ['many<!--maxSeeds--> seeds', '<!--maxSeeds--> must follow a number'],
  ])('cannot be written into %s', (text, why) => {
    expect(() => withBounds(text)).toThrow(why)
  })

  it('must be in a page or a description', () => {
    const texts = pages.map(({ text }) =>
      text.replace('<!--maxPoints-->', '').replace('At most', 'Up to'),
    )
    const lost = 'no page or action.yml has: or absolute. At most {maxSeedSize}.; maxPoints'
    expect(() => expectAllBounds(texts)).toThrow(lost)
  })
})

describe('the reference', () => {
  it('cannot be made if an input has no description', async () => {
    const { run } = await readActionFiles()
    const inputs = { ...run.inputs, seed: {}, timeout: { description: ' ' } }
    const { error } = actionFile.safeParse({ ...run, inputs })
    expect(error?.issues.map(({ path }) => path.join(' '))).toEqual([
      'inputs seed description',
      'inputs timeout description',
    ])
  })

  it('does not show the inputs that nobody sets', () => {
    expect(textOf('reference/run')).not.toMatch(/`matrix`|`job-id`/)
  })
})

const withoutChromium =
  'Without Chromium, leave it as it is, and say so in the pull request. A maintainer draws it.'

describe('the README', () => {
  const readme = readFile(path.join(root, 'README.md'), 'utf8')

  it('names the action wait in the same words as hints', async () => {
    const [name = ''] = waitAction.split('@')
    expect(await readme).toContain(`[\`${name}\`](docs/reference/wait.md)`)
  })

  it('can be read in two minutes: few lines, and no table with long cells', async () => {
    const lines = (await readme).split('\n')
    const cells = lines.flatMap((line) => (/^\|.*\|$/.exec(line) ? line.split('|') : []))
    expect(lines.length).toBeLessThanOrEqual(200)
    expect(Math.max(...cells.map(({ length }) => length))).toBeLessThan(100)
  })

  it('names the defaults of its inputs', async () => {
    const { run } = await readActionFiles()
    const named = [...(await readme).matchAll(/^\| `(?<name>[a-z-]+)` +\| `(?<text>[^`]+)` +\|/gm)]
    const wrong = named.filter(({ groups }) => {
      const input = run.inputs[groups?.['name'] ?? '']
      return input && input.default !== groups?.['text']
    })
    expect(named.length).toBeGreaterThan(1)
    expect(wrong.map(([row]) => row)).toEqual([])
  })

  it('has up-to-date pictures', async () => {
    const drawn = JSON.parse(await readFile(hashFile, 'utf8')) as Record<string, string>
    const shown = Object.entries(await readHashes())
    const stale = shown.filter(([name, hash]) => drawn[name] !== hash)
    expect(
      stale.map(
        ([name]) =>
          `docs/${name}-light.png and -dark.png are stale: run npm run pictures. ${withoutChromium}`,
      ),
    ).toEqual([])
    expect(Object.keys(drawn)).toEqual(shown.map(([name]) => name))
  })
})

describe('the page of create-project', () => {
  it.each([...supportedRegions, ...supportedDockerVersions])(
    'names the values that the sandbox accepts: %s',
    (value) => {
      expect(textOf('reference/create-project')).toContain(`\`${value}\``)
    },
  )
})
