/** Comments say where a fact about the service comes from: `docs/service.md, "Heading"`. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { root } from '../../scripts/docs/action-files.ts'

const headings = new Set(
  [...readFileSync(path.join(root, 'docs/service.md'), 'utf8').matchAll(/^#+ (.+)$/gm)].map(
    ([, heading = '']) => heading,
  ),
)

/** The citations that name no heading, with what follows them in place of one. */
function brokenCitations(source: string): string[] {
  // A citation may go on in the next line of its comment.
  const text = source.replace(/\n\s*(?:\*|\/\/) /g, ' ')
  const citations = text.matchAll(/docs\/service\.md(?:,\s"(?<heading>[^"]+)"|(?<rest>.{0,40}))/g)
  return [...citations]
    .filter(({ groups }) => !headings.has(groups?.['heading'] ?? ''))
    .map(([citation]) => citation)
}

/** Words for a document that readers of the repository don't have. */
const elsewhere = /\b(?:design|rule)s? \d|\bthe (?:service's )?document(?:'s)?\b/i

const sources = globSync('{src,sandbox,scripts,__tests__}/**/*.{ts,mjs}', { cwd: root })
  .filter((file) => path.basename(file) !== path.basename(import.meta.url))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))

describe('a citation of docs/service.md', () => {
  it('names a heading of it, in every source', () => {
    const broken = sources.flatMap(({ file, text }) =>
      brokenCitations(text).map((citation) => `${file}: ${citation}`),
    )
    expect(broken).toEqual([])
  })

  it('is made in place of words for a document that is not here, in src and __tests__', () => {
    const own = sources.filter(({ file }) => !/^(?:sandbox|scripts)\b/.test(file))
    expect(own.filter(({ text }) => elsewhere.test(text)).map(({ file }) => file)).toEqual([])
    expect('design 3, rule 7, or what the document says').toMatch(elsewhere)
  })

  it('stands at many places', () => {
    expect(sources.filter(({ text }) => text.includes('docs/service.md')).length).toBeGreaterThan(5)
  })

  it.each([
    ['// Source: docs/service.md, "Errors".', []],
    ['/**\n   * See docs/service.md,\n   * "Failed\n   * checks".\n   */', []],
    ['// docs/service.md, "Error".', ['docs/service.md, "Error"']],
    ['// docs/service.md says so', ['docs/service.md says so']],
  ])('is checked in %j', (text, broken) => expect(brokenCitations(text)).toEqual(broken))
})
