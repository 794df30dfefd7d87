import { describe, expect, it } from '@jest/globals'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const model = readFileSync(path.join(root, 'SECURITY.md'), 'utf8')
const named = [
  ...model.matchAll(/`((?:action|contract|simulation|unit|wire|workflow)\/[a-z/-]+)`/g),
].flatMap(([, test]) => test ?? [])

describe('the threat model in SECURITY.md', () => {
  it('names the tests that prove its defences', () => {
    expect(named.length).toBeGreaterThan(10)
  })

  it.each(named)('%s is there', (test) => {
    expect(existsSync(path.join(root, '__tests__', `${test}.test.ts`))).toBe(true)
  })
})
