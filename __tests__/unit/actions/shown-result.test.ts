import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readShownResult } from '../../../src/actions/summarise.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

describe('what the summary shows of a result', () => {
  /** Returns how a result of a type is shown: `60 rows`, `the first rows`, `text` or `named`. */
  async function shownOf(content: string | Buffer, mediaType = 'text/csv'): Promise<string> {
    await using folder = await makeTemporaryFolder()
    const file = path.join(folder.path, 'result')
    await writeFile(file, content)
    const kept = { kind: 'file', path: file, mediaType, size: Buffer.byteLength(content) } as const
    const { rows, text } = await readShownResult(kept, new Secrets(() => undefined))
    if (rows) return `${rows.count ?? 'the first'} rows`
    return text === undefined ? 'named' : 'text'
  }
  const fill = (size: number) => `a,b\n${'1,2\n'.repeat((size - 4) / 4)}`
  const size = 8 * 1024 * 1024

  it('is the number of rows of up to 8 MiB, and the first rows of more', async () => {
    expect(await shownOf(fill(size))).toBe('2097151 rows')
    expect(await shownOf(fill(size + 4))).toBe('the first rows')
    expect(await shownOf(`[${'{"a":1},'.repeat(size / 8)}{}]`, 'application/json')).toBe(
      'the first rows',
    )
  })

  it.each([
    ['a quote that never closes', `a,b\n1,"2\n${'3,4\n'.repeat(100_000)}`, 'text'],
    ['a ragged row', `${fill(4_000)}1,2,3\n${fill(4_000)}`, 'text'],
    ['10,000 columns', `${'a,'.repeat(10_000)}\n${'1,'.repeat(10_000)}\n`, 'text'],
    ['a line of 8 MiB', `a\n${'x'.repeat(size - 3)}\n`, 'text'],
    ['a line of more than 8 MiB', `a\n${'x'.repeat(size)}\n`, 'text'],
    ['NUL', 'a,b\n1,\0\n', 'named'],
    ['NUL far behind', `${fill(size / 2)}1,\0\n`, 'text'],
    ['Latin-1', Buffer.from('a,b\n1,\xe9\n', 'latin1'), 'named'],
    ['Latin-1 far behind', Buffer.from(`${fill(size / 2)}1,\xe9\n`, 'latin1'), 'text'],
  ])('is not rows if there is %s', async (_what, content, shown) => {
    expect(await shownOf(content)).toBe(shown)
  })

  it('is text if the type is not one of rows', async () => {
    expect(await shownOf('a,b\n1,2\n', 'text/plain')).toBe('text')
  })
})
