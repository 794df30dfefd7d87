import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { compileCache } from '../../sandbox/compile-cache.ts'
import { readOptions } from '../../sandbox/simulation/options.ts'

const script = fileURLToPath(new URL('../../scripts/chaos.ts', import.meta.url))

function runChaos(...words: string[]) {
  return spawnSync(process.execPath, [script, ...words], {
    encoding: 'utf8',
    env: { ...process.env, ...compileCache },
  })
}

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

  it('names an unknown option without a stack trace, and exits with 2', () => {
    const { status, stdout, stderr } = runChaos('--sed', '1')

    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(/^Unknown option '--sed'/)
    expect(stderr).not.toContain('    at ')
  })

  it('prints its seed first, and exits with 0 when nothing was violated', () => {
    const { status, stdout, stderr } = runChaos('--runs', '3', '--seed', '5')

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^Simulation with seed 5\n3 runs, 1 batches, /)
  })
})
