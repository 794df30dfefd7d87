import { execFile } from 'node:child_process'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { seedsFile } from '../../../../src/runner/inputs/batch.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { problemsOf } from '../inputs/outcome.ts'
import { lossOf, textsIn } from './reading.ts'

async function openIn(folder: string, content: string) {
  const file = path.join(folder, 'seeds.jsonl')
  await writeFile(file, content)
  return { file, list: await seedsFile(folder).parseAsync('seeds.jsonl') }
}

describe('a file of seeds', () => {
  it('is read again for each text, until the list is closed', async () => {
    await using folder = await makeTemporaryFolder()
    const { list } = await openIn(folder.path, '{"a": 1e400}\n{"ü": "😀"}\n')
    expect(await textsIn(list)).toEqual(['{"a": 1e400}', '{"ü": "😀"}'])
    await list.close()
    await list.close()
  })

  it('is used as it was opened, where another one takes its place', async () => {
    await using folder = await makeTemporaryFolder()
    const { file, list } = await openIn(folder.path, '{"a": 1}\n{"a": 2}\n')
    const [first, second] = list.seeds
    if (!first || !second) throw new Error('there are two seeds')
    await list.textOf(first)
    await writeFile(`${file}.new`, '{"a": 3}\n{"a": 4}\n')
    await rename(`${file}.new`, file)
    expect(await list.textOf(second)).toBe('{"a": 2}')
    await list.close()
  })

  it.each(['{"a": 9}\n', '{"a"', '', '\xe9'.repeat(20)])(
    'whose content has become %j gives no wrong text',
    async (content) => {
      await using folder = await makeTemporaryFolder()
      const { file, list } = await openIn(folder.path, '{"a": 1}\n')
      await writeFile(file, content, 'latin1')
      const [seed] = list.seeds
      if (!seed) throw new Error('there is a seed')
      expect(await lossOf(list.textOf(seed))).toBe(
        'its file is no longer what it was when this step began',
      )
      await list.close()
    },
  )

  it('that is gone is told as that', async () => {
    await using folder = await makeTemporaryFolder()
    const { file, list } = await openIn(folder.path, '{"a": 1}\n')
    await rm(file)
    const [seed] = list.seeds
    if (!seed) throw new Error('there is a seed')
    expect(await lossOf(list.textOf(seed))).toMatch(/^its file cannot be read: there is no such/)
    await list.close()
  })

  it.each([
    ['missing.json', 'there is no such file; does a step before this one check out or make it?'],
    ['folder', 'it is a folder or no regular file'],
  ])('%s is told with what is wrong', async (file, problem) => {
    await using folder = await makeTemporaryFolder()
    await mkdir(path.join(folder.path, 'folder'))
    expect(await problemsOf(seedsFile(folder.path), file)).toEqual([
      `expected the path of a file, found "${file}": ${problem}`,
    ])
  })

  it('is told by its name with its first ten problems', async () => {
    await using folder = await makeTemporaryFolder()
    await writeFile(path.join(folder.path, 'bad.jsonl'), `{}\n${'[]\n'.repeat(25)}`)
    const problems = await problemsOf(seedsFile(folder.path), 'bad.jsonl')
    expect(problems).toHaveLength(11)
    expect(problems[0]).toBe(
      'in "bad.jsonl": element 2: expected a JSON object, found an array, at line 2, column 1',
    )
    expect(problems[10]).toBe('in "bad.jsonl": 15 more problems')
  })

  it('that is UTF-16 is told as that of another encoding', async () => {
    await using folder = await makeTemporaryFolder()
    await writeFile(path.join(folder.path, 'wide.json'), '\uFEFF[{}]', 'utf16le')
    expect(await problemsOf(seedsFile(folder.path), 'wide.json')).toEqual([
      'in "wide.json": expected UTF-8, found another encoding (save the file as UTF-8), at line 1, column 1',
    ])
  })
})

const readInLittleMemory = `
  import { peakMemory } from './scripts/bench/peak.ts'
  import { seedsFile } from './src/runner/inputs/batch.ts'
  const list = await seedsFile('/').parseAsync(process.argv.at(-1))
  for (const seed of list.seeds) if ((await list.textOf(seed)).length < 50_000) throw new Error()
  console.log(JSON.stringify({ seeds: list.total, megabytes: Math.round(peakMemory() / 1e6) }))
  await list.close()`

describe('a file of 60 MB', () => {
  it.each([
    ['[', ',\n', ']'],
    ['', '\n', ''],
  ])(
    'is read in the memory of a few seeds: %j',
    async (before, between, after) => {
      await using folder = await makeTemporaryFolder()
      const file = path.join(folder.path, 'large')
      const seeds = Array.from(
        { length: 200 },
        (_, index) => `{"n": ${index}, "text": "${'é'.repeat(50_000)}"}`,
      )
      await writeFile(file, before)
      for (let part = 0; part < 3; part++) {
        const ending = part === 2 ? after : between
        await writeFile(file, seeds.join(between) + ending, { flag: 'a' })
      }
      const evaluate = [
        '--input-type=module',
        '--max-old-space-size=64',
        '-e',
        readInLittleMemory,
        file,
      ]
      const { stdout } = await promisify(execFile)(process.execPath, evaluate)
      const { seeds: found, megabytes } = JSON.parse(stdout) as { seeds: number; megabytes: number }
      expect(found).toBe(600)
      // Node itself takes some 70.
      expect(megabytes).toBeLessThan(160)
    },
    120_000,
  )
})
