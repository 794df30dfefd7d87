import { describe, expect, it } from '@jest/globals'
import { readOptions } from '../../sandbox/simulation/options.ts'

describe('npm run chaos', () => {
  it('has a fixed seed unless one is given', () => {
    expect(readOptions([])).toEqual({ runs: 2000, batches: 400, seed: 1 })
    expect(readOptions(['--runs', '7', '--seed', '42'])).toMatchObject({ runs: 7, seed: 42 })
  })

  it.each([
    ['--also', 'all'],
    ['--sed', '1'],
    ['--batches', '-1'],
    ['--runs', 'many'],
    ['--seed', '-1'],
    ['--seed', '1.5'],
    ['--runs'],
    ['runs'],
  ])('refuses %s %s', (...words) => {
    expect(() => readOptions(words)).toThrow(/--|Unexpected/)
  })
})
