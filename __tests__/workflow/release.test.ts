import { describe, expect, it } from '@jest/globals'
import { howToPin, readRelease } from '../../scripts/release-notes.ts'

const ready = {
  packageJson: '{ "version": "1.4.0" }',
  versionSource: "export const version = '1.4.0'\nexport const ref = 'v1'",
  changelog: `# Changelog

## [Unreleased]

## [1.4.0] - 2026-11-20

### Added

- A thing.

## [1.3.0] - 2026-10-01

- An older thing.

[1.4.0]: https://example.com/v1.4.0
`,
  tags: ['v1', 'v1.3.0'],
}

describe('a release', () => {
  it('has the notes of its section and its major version', () => {
    expect(readRelease('1.4.0', ready)).toEqual({ notes: '### Added\n\n- A thing.', major: '1' })
  })

  it.each([
    ['package.json says 1.3.9', { packageJson: '{ "version": "1.3.9" }' }],
    ['src/version.ts', { versionSource: "export const version = '1.3.9'" }],
    ['no section', { changelog: '## [1.4.0] - soon\n\n- A thing.' }],
    ['no section', { changelog: '## [1.4.0] - 2026-11-20\n\n## [1.3.0] - 2026-10-01\n\n- Old.' }],
    ['another ref', { versionSource: "version = '1.4.0'\nref = 'main'" }],
    ['v1.4.0 already exists', { tags: ['v1.4.0'] }],
  ])('is refused if the checkout is not ready: %s', (problem, part) => {
    expect(() => readRelease('1.4.0', { ...ready, ...part })).toThrow(problem)
  })

  it('shows how to pin its commit', () => {
    const commit = '0123456789abcdef0123456789abcdef01234567'
    expect(howToPin('1.4.0', commit)).toContain(
      `uses: run-automation/run-automation@${commit} # v1.4.0`,
    )
  })

  it.each(['v1.4.0', '1.4', '1.4.0-rc.1', '../1.4.0', ''])(
    'is refused as version %j',
    (version) => {
      expect(() => readRelease(version, ready)).toThrow('is no version')
    },
  )
})
