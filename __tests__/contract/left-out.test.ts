import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { root } from '../../scripts/docs/action-files.ts'

const bundles = process.env['BUNDLES_UNDER_TEST'] ?? path.join(root, 'dist')
const stub = path.join(bundles, 'storage', 'left-out.js')
const leftOut = (await import(pathToFileURL(stub).href)) as Record<string, unknown>

describe('the replacement for a package that is left out of a bundle', () => {
  it('has the names that the bundle imports', () => {
    expect(Object.keys(leftOut)).toEqual(expect.arrayContaining(['ProxyAgent', 'getOctokit']))
  })

  it.each([
    ['called', (thing: () => void) => thing()],
    ['constructed', (thing: new () => object) => new thing()],
    ['read', (thing: { defaults: unknown }) => thing.defaults],
    ['a base class', (thing: new () => object) => class extends thing {}],
  ])('throws when one of them is %s', (_use, use) => {
    const useIt = use as (thing: unknown) => unknown
    expect(() => useIt(leftOut['ProxyAgent'])).toThrow('left out of this bundle: ProxyAgent')
  })

  it('keeps Octokit out of the bundle of the actions', async () => {
    const folder = path.join(bundles, 'actions')
    const files = await readdir(folder)
    const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
    expect(texts.join('\n')).not.toMatch(/@octokit|octokit-core/i)
  })

  it('is not needed for zod, which is loaded after the first request', async () => {
    const start = await readFile(path.join(bundles, 'actions', 'index.js'), 'utf8')
    expect(start).not.toContain('zod')
  })

  it('is missing in the bundle of commit statuses, which needs undici', async () => {
    const files = await readdir(path.join(bundles, 'commit-status'))
    expect(files).not.toContain('left-out.js')
    expect(await readFile(path.join(bundles, 'commit-status', 'index.js'), 'utf8')).toContain(
      'ProxyAgent',
    )
  })

  it('is in the bundle of the actions', async () => {
    const text = await readFile(path.join(bundles, 'actions', 'left-out.js'), 'utf8')
    expect(text).toContain("leftOut('HttpClient')")
  })
})
