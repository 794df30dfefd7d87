import { execFileSync } from 'node:child_process'
import { mkdir, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { maxSeedSize, seedFile } from '../../../../src/runner/inputs/seed.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts'
import { outcome, problemsOf } from './outcome.ts'

describe('a seed file', () => {
  let folder: TemporaryFolder
  let workspace: string

  beforeEach(async () => {
    folder = await makeTemporaryFolder()
    workspace = folder.path
    await mkdir(path.join(workspace, 'seeds'))
  })
  afterEach(() => folder[Symbol.asyncDispose]())

  it('is found by its path in the workspace, and is sent unchanged', async () => {
    const text = '{"big": 1e400,\r\n "text": "é 😀"}\n\n'
    await writeFile(path.join(workspace, 'seeds', 'big.json'), text)
    expect(await outcome(seedFile(workspace), ' seeds/big.json\n')).toBe(text)
  })

  it('may be given by an absolute path', async () => {
    const file = path.join(workspace, 'seed.json')
    await writeFile(file, '{}')
    expect(await outcome(seedFile(path.join(workspace, 'seeds')), file)).toBe('{}')
  })

  it('may lie outside of the workspace, such as in the runner’s temp folder', async () => {
    await writeFile(path.join(workspace, 'seed.json'), '{"made": "by a step before"}')
    const checkout = path.join(workspace, 'seeds')
    expect(await outcome(seedFile(checkout), '../seed.json')).toBe('{"made": "by a step before"}')
  })

  it('may be larger than an environment variable', async () => {
    const text = JSON.stringify({ text: 'a'.repeat(1_000_000) })
    await writeFile(path.join(workspace, 'large.json'), text)
    expect(await outcome(seedFile(workspace), 'large.json')).toBe(text)
  })

  it('loses a byte order mark, and nothing else', async () => {
    await writeFile(path.join(workspace, 'marked.json'), '\uFEFF {"a": 1}\n')
    expect(await outcome(seedFile(workspace), 'marked.json')).toBe(' {"a": 1}\n')
  })

  it('may have 10 MiB', async () => {
    const file = path.join(workspace, 'large.json')
    await writeFile(file, '{}'.padEnd(maxSeedSize))
    expect(await outcome(seedFile(workspace), 'large.json')).toHaveLength(maxSeedSize)
    await truncate(file, maxSeedSize + 1)
    expect(await problemsOf(seedFile(workspace), 'large.json')).toEqual([
      'expected the path of a file, found "large.json": it is larger than 10 MiB',
    ])
  })

  // The advice to use toJSON would be wrong: a file has no expressions.
  it('is reported by its name if it is no JSON object', async () => {
    await writeFile(path.join(workspace, 'broken.json'), '{\n "a": x')
    expect(await problemsOf(seedFile(workspace), 'broken.json')).toEqual([
      'in "broken.json": expected a JSON object, found a text with an unexpected "x" at line 2, column 7',
    ])
  })

  it('is refused when empty', async () => {
    await writeFile(path.join(workspace, 'empty.json'), '')
    expect(await problemsOf(seedFile(workspace), 'empty.json')).toEqual([
      'in "empty.json": expected a JSON object, found unexpected end of input at line 1, column 1',
    ])
  })

  it.each([
    ['missing.json', 'there is no such file'],
    ['seeds', 'not a regular file'],
    ['latin1.json', 'it is not UTF-8 at line 1, column 8; save it as UTF-8'],
  ])('%s is reported with its problem', async (file, problem) => {
    await writeFile(path.join(workspace, 'latin1.json'), Buffer.from('{"a": "\xe9"}', 'latin1'))
    const message = (await problemsOf(seedFile(workspace), file)).join()
    expect(message).toContain(`expected the path of a file, found "${file}": ${problem}`)
  })
})

// Windows has no such folders or names, and reports other errors.
const onPosix = process.platform === 'win32' ? it.skip : it

describe('a seed file that cannot be read', () => {
  onPosix('is missing, if a file has the path of its folder', async () => {
    await using workspace = await makeTemporaryFolder()
    await writeFile(path.join(workspace.path, 'seeds'), '{}')
    expect((await problemsOf(seedFile(workspace.path), 'seeds/one.json')).join()).toContain(
      'there is no such file',
    )
  })

  onPosix('is no seed if it is a pipe, which nothing may ever write to', async () => {
    await using workspace = await makeTemporaryFolder()
    execFileSync('mkfifo', [path.join(workspace.path, 'pipe')])
    expect((await problemsOf(seedFile(workspace.path), 'pipe')).join()).toMatch(
      /: not a regular file$/,
    )
  })

  onPosix('is no seed if it is a device, which never ends', async () => {
    expect((await problemsOf(seedFile('/'), '/dev/zero')).join()).toMatch(/: not a regular file$/)
  })

  onPosix('is reported with the system’s error code, if it has another reason', async () => {
    await using workspace = await makeTemporaryFolder()
    const file = 'a'.repeat(300)
    expect((await problemsOf(seedFile(workspace.path), file)).join()).toMatch(
      /: name too long \(ENAMETOOLONG\)$/,
    )
  })
})
