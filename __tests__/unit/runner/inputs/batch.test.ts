import { truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { list, pool } from '../../../../src/runner/inputs/batch.ts'
import { maxListSize } from '../../../../src/runner/inputs/seed-list.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { textsIn } from './read-list.ts'

async function problemsIn(given: Record<string, string>, workspace = '/'): Promise<string[]> {
  const { error } = await list(workspace).safeParseAsync(given)
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
}

describe('the list of seeds', () => {
  it('may be given inline', async () => {
    const given = { seeds: '[{"city": "Ulm", "n": 1.0}, {"n": 2}]', label: 'city' }
    const seeds = await list('/').parseAsync({ ...given, 'seeds-file': ' ' })
    expect(seeds.map(({ label }) => label)).toEqual(['Ulm', undefined])
    expect(textsIn(seeds)).toEqual(['{"city": "Ulm", "n": 1.0}', '{"n": 2}'])
  })

  it('may be a file', async () => {
    await using folder = await makeTemporaryFolder()
    await writeFile(path.join(folder.path, 'seeds.jsonl'), '{"n": 1}\n{"n": 2}\n')
    const seeds = await list(folder.path).parseAsync({ 'seeds-file': 'seeds.jsonl', label: 'n' })
    expect(seeds).toMatchObject([
      { index: 0, label: '1' },
      { index: 1, label: '2' },
    ])
  })

  it('may be a file of 20 MiB', async () => {
    await using folder = await makeTemporaryFolder()
    const file = path.join(folder.path, 'seeds.json')
    const given = { 'seeds-file': 'seeds.json' }
    await writeFile(file, '[]'.padEnd(maxListSize))
    expect(await problemsIn(given, folder.path)).toEqual([])
    await truncate(file, maxListSize + 1)
    expect(await problemsIn(given, folder.path)).toEqual([
      'seeds-file: expected the path of a file, found "seeds.json": it is larger than 20 MiB',
    ])
  })

  it.each([{}, { seeds: '', 'seeds-file': '\n' }])('is required: %j', async (given) => {
    expect(await problemsIn(given)).toEqual([
      'seeds: required if seeds-file is not given, but empty or not given; give one of the two',
    ])
  })

  it('must be one list', async () => {
    await using folder = await makeTemporaryFolder()
    await writeFile(path.join(folder.path, 'seeds.json'), '[]')
    expect(await problemsIn({ seeds: '[]', 'seeds-file': 'seeds.json' }, folder.path)).toEqual([
      'seeds-file: given together with seeds, and a batch takes one list; remove seeds or seeds-file',
    ])
  })

  it('leads to all problems of all its inputs at once', async () => {
    const given = { seeds: '[1, 2]', 'seeds-file': 'none.json', label: '' }
    const problems = await problemsIn(given)
    const inputs = problems.map((problem) => problem.slice(0, problem.indexOf(':')))
    expect(inputs.toSorted()).toEqual(['seeds', 'seeds', 'seeds-file', 'seeds-file'])
  })

  it('leads to each problem once, and only to as many as an annotation has room for', async () => {
    const numbers = (count: number) => JSON.stringify(Array.from({ length: count }, () => 1))

    expect(await problemsIn({ seeds: numbers(20) })).toHaveLength(20)
    const problems = await problemsIn({ seeds: numbers(23) })
    expect(problems).toHaveLength(21)
    expect(problems.at(-1)).toBe('seeds: 3 more problems')
  })

  it('leads to a problem with the name of the file, if the problem is in the file', async () => {
    await using folder = await makeTemporaryFolder()
    await writeFile(path.join(folder.path, 'seeds.jsonl'), '{"n": 1}\n2\n')

    expect(await problemsIn({ 'seeds-file': 'seeds.jsonl' }, folder.path)).toEqual([
      expect.stringMatching(/^seeds-file: in "seeds.jsonl": .*line 2/),
    ])
  })

  it('cannot be lines if it is given inline', async () => {
    expect(await problemsIn({ seeds: '{"n": 1}\n{"n": 2}' })).toHaveLength(1)
  })

  it('leads to the advice toJSON if a value was inserted without it', async () => {
    expect((await problemsIn({ seeds: '[{"name": Ada}]' })).join()).toContain(
      'insert it with toJSON',
    )
    expect((await problemsIn({ seeds: '[1]' })).join()).not.toMatch(/toJSON|undefined/)
  })
})

describe('how many runs may run at once', () => {
  it.each(['1', '200'])('may be %s', (text) => {
    const given = { 'max-parallel': text, 'fail-fast': 'true' }
    expect(pool.parse(given)).toEqual({ maxParallel: Number(text), failFast: true })
  })

  it.each(['0', '201', '1.5', '-1', '1e2', 'many'])('is never %s', (text) => {
    const { error } = pool.safeParse({ 'max-parallel': text, 'fail-fast': 'false' })
    expect(error?.issues.map(({ message }) => message)).toEqual([
      `expected a whole number from 1 to 200, found "${text}"`,
    ])
  })
})
