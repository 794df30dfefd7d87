/** What of a checkout has to agree on a release. */
export interface ReleaseParts {
  packageJson: string
  versionSource: string
  changelog: string
  tags: string[]
}

/**
 * The release's notes, from its section of the changelog, and its major version.
 *
 * @throws Error with everything that keeps this version from being released.
 */
export function readRelease(
  version: string,
  parts: ReleaseParts,
): { notes: string; major: string } {
  const { packageJson, versionSource, changelog, tags } = parts
  const [, major] = /^(\d+)\.\d+\.\d+$/.exec(version) ?? []
  if (major === undefined) throw new Error(`${version} is no version like 1.4.0`)
  const notes = sectionOf(changelog, version)
  const { version: packaged } = JSON.parse(packageJson) as { version?: unknown }
  const problems = [
    packaged !== version && `package.json says ${String(packaged)}`,
    !versionSource.includes(`version = '${version}'`) && 'src/version.ts says another version',
    notes === '' && `CHANGELOG.md has no section "## [${version}] - <date>" with changes in it`,
    tags.includes(`v${version}`) && `the tag v${version} is there already`,
  ].filter((problem) => problem !== false)
  if (problems.length > 0) throw new Error(`${version} can't be released: ${problems.join('; ')}`)
  return { notes, major }
}

function sectionOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m)
  const heading = new RegExp(
    String.raw`^\[${version.replaceAll('.', '\\.')}\] - \d{4}-\d\d-\d\d\r?\n`,
  )
  const section = sections.find((text) => heading.test(text)) ?? ''
  // The links of the file's end belong to its last section alone by their place.
  return section
    .replace(heading, '')
    .replaceAll(/^\[[^\]]+\]: .*$/gm, '')
    .trim()
}
