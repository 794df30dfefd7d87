import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readBatchInputs } from '../../../../src/runner/inputs/action-inputs.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { problemsIn, valuesOf } from './problems.ts'
import { textsIn } from './read-list.ts'

const required = {
  'base-url': 'https://automations.example.com',
  'api-token': 'token-1234',
  'api-key': 'key-1234',
  project: 'shop',
  automation: 'report',
}
const problemsWith = (inputs: Record<string, string>, workspace?: string) =>
  problemsIn(readBatchInputs, { ...required, ...inputs }, workspace)
const valuesWith = (inputs: Record<string, string>, workspace?: string) =>
  valuesOf(readBatchInputs, { ...required, ...inputs }, workspace)

describe('the list of seeds', () => {
  it('may be given inline', async () => {
    const seeds = '[{"city": "Ulm", "n": 1.0}, {"n": 2}]'
    const { list } = await valuesWith({ seeds, label: 'city', 'seeds-file': ' ' })
    expect(list.map(({ label }) => label)).toEqual(['Ulm', undefined])
    expect(textsIn(list)).toEqual(['{"city": "Ulm", "n": 1.0}', '{"n": 2}'])
  })

  it('may be a file, also of lines', async () => {
    await using folder = await makeTemporaryFolder()
    await writeFile(path.join(folder.path, 'seeds.jsonl'), '\uFEFF{"n": 1}\n{"n": 2}\n')
    const { list } = await valuesWith({ 'seeds-file': 'seeds.jsonl' }, folder.path)
    expect(list).toMatchObject([
      { number: 1, label: undefined },
      { number: 2, label: undefined },
    ])
  })

  it('is required', async () => {
    expect(await problemsWith({ seeds: '', 'seeds-file': '\n', label: 'n' })).toEqual([
      'seeds: neither seeds nor seeds-file was given; give one of the two',
    ])
  })

  it('must be one list, and has all its problems at once', async () => {
    expect(await problemsWith({ seeds: '[1, 2]', 'seeds-file': 'none.json', label: 'n' })).toEqual([
      expect.stringMatching(/^seeds: element 1: /),
      expect.stringMatching(/^seeds: element 2: /),
      expect.stringMatching(/^seeds-file: expected the path of a file, found "none.json"/),
      'seeds-file: given together with seeds, and a batch takes one list; remove seeds or seeds-file',
    ])
  })

  it('has more problems than an annotation has space for', async () => {
    await using folder = await makeTemporaryFolder()
    await writeFile(path.join(folder.path, 'seeds.jsonl'), '{}\n' + '{x}\n'.repeat(25))
    const problems = await problemsWith({ 'seeds-file': 'seeds.jsonl' }, folder.path)
    expect(problems.slice(19)).toEqual([
      expect.stringMatching(/^seeds-file: in "seeds.jsonl": .* at line 21, column 2$/),
      'seeds-file: 5 more problems',
    ])
  })

  it('cannot be lines if it is given inline', async () => {
    expect(await problemsWith({ seeds: '{"n": 1}\n{"n": 2}' })).toEqual([
      'seeds: expected a JSON array of objects, found an object; put the seeds into [ and ], or give one object per line in seeds-file',
    ])
  })
})

describe('the pool', () => {
  it('has at most 200 runs at a time', async () => {
    const { pool } = await valuesWith({ seeds: '[]', 'max-parallel': '200', 'fail-fast': 'true' })
    expect(pool).toEqual({ maxParallel: 200, failFast: true })
    expect(await problemsWith({ seeds: '[]', 'max-parallel': '0' })).toEqual([
      'max-parallel: expected a whole number from 1 to 200, found "0"',
    ])
  })
})

it('the timeout may not be 0s', async () => {
  expect(await problemsWith({ seeds: '[]', timeout: '0s' })).toEqual([
    expect.stringMatching(/^timeout: expected a duration of 1ms or more/),
  ])
})
