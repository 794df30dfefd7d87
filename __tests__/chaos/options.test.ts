import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { extraFaults, usualExtras } from '../../sandbox/chaos/extra-faults.ts'
import { ChaosUsageError, readChaosOptions } from '../../sandbox/chaos/chaos-options.ts'

const script = fileURLToPath(new URL('../../scripts/chaos.ts', import.meta.url))

function chaos(...words: string[]) {
  return spawnSync(process.execPath, [script, ...words], { encoding: 'utf8' })
}

describe('npm run chaos', () => {
  it('has a fixed seed unless one is given', () => {
    expect(readChaosOptions([])).toEqual({ runs: 2000, seed: 1, also: usualExtras })
    expect(readChaosOptions(['--runs', '7', '--seed', '42'])).toMatchObject({ runs: 7, seed: 42 })
  })

  it('draws further faults where they are named', () => {
    expect(readChaosOptions(['--also', 'drip, 101'])?.also).toEqual(['drip', '101'])
    expect(readChaosOptions(['--also', 'all'])?.also).toEqual(extraFaults)
  })

  it.each([
    ['--also', 'drop'],
    ['--sed', '1'],
    ['--runs', '0'],
    ['--runs', 'many'],
    ['--seed', '-1'],
    ['--seed', '1.5'],
    ['--runs'],
    ['runs'],
  ])('refuses %s %s', (...words) => {
    expect(() => readChaosOptions(words)).toThrow(ChaosUsageError)
  })

  it('tells of an unknown option without a stack trace, and exits with 2', () => {
    const { status, stdout, stderr } = chaos('--sed', '1')

    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(/^Unknown option '--sed'/)
    expect(stderr).not.toContain('    at ')
  })

  it('tells its seed first, and exits with 0 when nothing happened that must not', () => {
    const { status, stdout, stderr } = chaos('--runs', '3', '--seed', '5')

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^Chaos with seed 5\n3 runs, /)
  })
})
