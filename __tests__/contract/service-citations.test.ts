/** Tests the citations in comments: `docs/contributing/service.md, "Heading"`. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { root } from '../../scripts/docs/action-files.ts'

const headings = new Set(
  [
    ...readFileSync(path.join(root, 'docs/contributing/service.md'), 'utf8').matchAll(
      /^#+ (.+)$/gm,
    ),
  ].map(([, heading = '']) => heading),
)

/** Returns the citations that name no heading, with the text that follows them. */
function brokenCitations(source: string): string[] {
  // A citation may continue in the next line of its comment.
  const text = source.replace(/\n\s*(?:\*|\/\/) /g, ' ')
  const citations = text.matchAll(
    /docs\/contributing\/service\.md(?!')(?:,\s"(?<heading>[^"]+)"|(?<rest>.{0,40}))/g,
  )
  return [...citations]
    .filter(({ groups }) => !headings.has(groups?.['heading'] ?? ''))
    .map(([citation]) => citation)
}

/** Words about a document that is not in the repository. */
const elsewhere = /\b(?:design|rule)s? \d|\bthe (?:service's )?document(?:'s)?\b/i

const sources = globSync('{src,sandbox,scripts,__tests__}/**/*.{ts,mjs}', { cwd: root })
  .filter((file) => path.basename(file) !== path.basename(import.meta.url))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))

describe('a citation of docs/contributing/service.md', () => {
  it('names a heading of that page, in every source', () => {
    const broken = sources.flatMap(({ file, text }) =>
      brokenCitations(text).map((citation) => `${file}: ${citation}`),
    )
    expect(broken).toEqual([])
  })

  it('is used in src and __tests__ in place of words about another document', () => {
    const own = sources.filter(({ file }) => !/^(?:sandbox|scripts)\b/.test(file))
    expect(own.filter(({ text }) => elsewhere.test(text)).map(({ file }) => file)).toEqual([])
    expect('design 3, rule 7, or what the document says').toMatch(elsewhere)
  })

  it('appears in many places', () => {
    expect(
      sources.filter(({ text }) => text.includes('docs/contributing/service.md')).length,
    ).toBeGreaterThan(5)
  })

  it.each([
    ['// Source: docs/contributing/service.md, "Errors".', []],
    ['/**\n   * See docs/contributing/service.md,\n   * "Failed\n   * checks".\n   */', []],
    ['// docs/contributing/service.md, "Error".', ['docs/contributing/service.md, "Error"']],
    ['// docs/contributing/service.md says so', ['docs/contributing/service.md says so']],
  ])('is checked in %j', (text, broken) => expect(brokenCitations(text)).toEqual(broken))
})
