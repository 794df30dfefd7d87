import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { root } from '../../scripts/docs/action-files.ts'
import { waitAction } from '../../src/version.ts'

/** Names of the wait action that nobody could put behind `uses:`. */
const unusable = /(?<!owner\/)\brun-automation\/wait\b|\bwait action\b/

describe('the action that fetches a run later', () => {
  it('is told with the words that README puts behind uses:', async () => {
    const readme = await readFile(path.join(root, 'README.md'), 'utf8')
    expect(readme).toContain(`| \`${waitAction}\` `)
  })

  it('has no other name in any text of the sources', async () => {
    const named: string[] = []
    for await (const file of glob('src/**/*.ts', { cwd: root })) {
      if (unusable.test(await readFile(path.join(root, file), 'utf8'))) named.push(file)
    }
    expect(named).toEqual([])
  })
})
