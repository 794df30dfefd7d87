import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'

const root = fileURLToPath(new URL('../..', import.meta.url))
const guard = './scripts/need-node-24.mjs'

interface Package {
  scripts: Record<string, string>
  engines?: { node: string }
}
const textOf = (file: string) => readFile(path.join(root, file), 'utf8')

describe('a Node that is too old', () => {
  it('is reported in one line, before a program with newer syntax is read', () => {
    const pretend = "Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } })"
    const words = ['--import', `data:text/javascript,${pretend}`, '--import', guard]
    const { status, stdout, stderr } = spawnSync(process.execPath, [...words, 'README.md'], {
      cwd: root,
      encoding: 'utf8',
    })

    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(
      /^This program needs Node 24, but this is Node 20\.19\.0\. .*npm rebuild node.*\n$/,
    )
  })

  it('is detected by every script that runs one of our programs', async () => {
    const { scripts } = JSON.parse(await textOf('package.json')) as Package
    const ours = Object.values(scripts).filter((script) => script.startsWith('node '))

    expect(ours.length).toBeGreaterThan(5)
    expect(ours.filter((script) => !script.startsWith(`node --import ${guard} `))).toEqual([])
  })
})

/** Returns the lowest version of a range such as `^20.19.0 || >=22`, as one number. */
function lowestOf(range: string): number {
  const versions = range.split('||').map((part) => /(\d+)(?:\.(\d+))?/.exec(part))
  return Math.min(
    ...versions.map((found) => Number(found?.[1] ?? 0) * 1000 + Number(found?.[2] ?? 0)),
  )
}

it('no installed package needs a newer Node than engines says', async () => {
  const lock = JSON.parse(await textOf('package-lock.json')) as {
    packages: Record<string, Package>
  }
  const { '': own, ...packages } = lock.packages
  const lowest = lowestOf(own?.engines?.node ?? '')
  const newer = Object.entries(packages).filter(
    ([, { engines }]) => lowestOf(engines?.node ?? '*') > lowest,
  )

  expect(lowest).toBe(20_019)
  expect(newer.map(([name, { engines }]) => [name, engines?.node])).toEqual([])
})

it('the lock file contains no address of a registry', async () => {
  expect(await textOf('package-lock.json')).not.toContain('"resolved"')
})
